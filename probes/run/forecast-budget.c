/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-budget.c - how long a pair takes, and how far a budget will reach */
#include "config.h"

#include "probes/run/forecast-parts.h"

#include "probes/run/budget.h"

#include <math.h>

#define TINY 1e-9 /* of a whole number that was divided */

/* From a probe to the next: the gap, and half as much by chance. */
static double pace_s(const struct pl_probe_options *o)
{
	return 1.5e-9 * (double)o->gap_ns;
}

double pl_forecast_pair(const struct pl_probe_options *o, double probes)
{
	const double least = (o->probes_min + 1) * pace_s(o);
	const double all = (probes + 1) * pace_s(o);
	const double most = (double)o->pair_ns / 1e9;

	return fmin(all, fmax(least, most));
}

/* Of @all that @of pairs are in: those that @pairs are in. */
static double share_of(double all, double pairs, double of)
{
	return all > 0 && pairs > 0 ? ceil(all * pairs / of - TINY) : 0;
}

/* Ways of a pair: two, but for one of which one way is there. */
static double ways_of_pair(const struct pl_probe_forecast *f)
{
	return f->n_pairs_most > 0 ? (double)f->n_ways_most / (double)f->n_pairs_most : 2;
}

/* So many of @f's pairs are measured, least and most. */
static void keep(struct pl_probe_forecast *f, double fewest, double most)
{
	const double ways = ways_of_pair(f);

	f->n_rounds = (size_t)share_of((double)f->n_rounds, fewest, (double)f->n_pairs);
	f->n_rounds_most =
		(size_t)share_of((double)f->n_rounds_most, most, (double)f->n_pairs_most);
	if (f->n_rounds_most < f->n_rounds)
		f->n_rounds_most = f->n_rounds;
	f->n_pairs = (size_t)fewest;
	f->n_pairs_most = (size_t)most;
	f->n_ways = (size_t)share_of(ways, fewest, 1);
	f->n_ways_most = (size_t)share_of(ways, most, 1);
}

/* Pairs that are begun while there is @room left of the budget, where each has
 * taken @cost when it is done. */
static double n_begun(double budget, double room, double cost)
{
	return budget < room ? 0 : floor((budget - room) / cost + TINY) + 1;
}

/* Packets of a way that never settles: an equal share, as long as there is one
 * for all. Where a chooser goes on by what it learns, its first steps may take
 * all. */
static double most_of_way(const struct pl_probe_forecast *f, const struct pl_probe_options *o,
			  double least)
{
	const double most = o->probes_max + 1.0;
	const double share = (double)o->budget_probes / (double)f->n_ways_most;

	if (o->chooser && o->chooser->most > 0)
		return most;
	return fmin(most, fmax(least, share));
}

static void limit_by_probes(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double budget = (double)o->budget_probes;
	const double least = pl_budget_least(o->probes_min);
	const double way = most_of_way(f, o, least), ways = ways_of_pair(f);
	const double cheap = ways * (o->probes_min + 1.0), dear = ways * way;
	const double n_cheap = n_begun(budget, 2 * least, cheap);
	const double n_dear = n_begun(budget, 2 * least, dear);
	const double fewest = fmin((double)f->n_pairs, n_dear);
	const double first = fmin((double)f->n_pairs, n_cheap);
	const double most = fmin((double)f->n_pairs_most, n_cheap);
	const double first_s = share_of((double)f->n_rounds, first, (double)f->n_pairs) *
			       pl_forecast_pair(o, o->probes_min);
	double settled_s, never_s;

	keep(f, fewest, most);
	settled_s = (double)f->n_rounds_most * pl_forecast_pair(o, o->probes_min);
	never_s = (double)f->n_rounds * pl_forecast_pair(o, way - 1);
	f->probes_least = (uint64_t)fmin(first * cheap, fewest * dear);
	f->probes_most = most > 0 ? o->budget_probes : 0;
	f->seconds_least = fmin(first_s, never_s);
	f->seconds_most = fmax(settled_s, never_s);
}

/* All hosts but one of an odd number probe at once, and none twice within a
 * gap. */
static double most_in_time(const struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double at_once = (double)(f->n_hosts / 2 * 2);

	return o->gap_ns > 0 ? at_once * ((double)o->budget_ns / (double)o->gap_ns + 1) : INFINITY;
}

static void limit_by_time(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double seconds = (double)o->budget_ns / 1e9;
	const double fast = seconds / pl_forecast_pair(o, o->probes_min);
	const double slow = seconds / pl_forecast_pair(o, o->probes_max);
	const double probes = most_in_time(f, o);

	if (seconds < f->seconds_least)
		f->probes_least = (uint64_t)((double)f->probes_least * seconds / f->seconds_least);
	if (probes < (double)f->probes_most)
		f->probes_most = (uint64_t)probes;
	keep(f,
	     fmin((double)f->n_pairs,
		  floor((double)f->n_pairs / (double)f->n_rounds * floor(slow + TINY))),
	     fmin((double)f->n_pairs_most,
		  ceil((double)f->n_pairs_most / (double)f->n_rounds_most * fast)));
}

static void limit_flows(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	const double seconds = (double)o->budget_ns / 1e9;

	f->seconds_least = fmin(f->seconds_least, seconds);
	f->seconds_most = fmin(f->seconds_most, seconds);
	f->flow_seconds_least = fmin(f->flow_seconds_least, seconds - f->seconds_least);
	f->flow_seconds_most = fmin(f->flow_seconds_most, seconds - f->seconds_least);
}

void pl_forecast_limit(struct pl_probe_forecast *f, const struct pl_probe_options *o)
{
	if (o->budget_probes > 0 && f->probes_most > o->budget_probes)
		limit_by_probes(f, o);
	if (o->budget_ns > 0 && f->seconds_most > (double)o->budget_ns / 1e9)
		limit_by_time(f, o);
	if (o->budget_ns > 0)
		limit_flows(f, o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan-groups.c - the plan's sets of flows between groups */
#include "config.h"

#include "topology/rates-plan-parts.h"

#include "base/tournament.h"

#include <math.h>

/* An uplink that gives less than this share of its fastest neighbour is looked at again. */
#define SLOW_SHARE 0.85

/* Several uplinks are measured in one set if their flows take at most this share of the rate of
 * every other group's uplink. */
#define OTHERS_SHARE 0.75

/* A rack's is 0, that of a group one more than the greatest of those within it; of PL_NO_GROUP, the
 * whole network: the same. */
static size_t find_level(const struct pl_tiers *t, size_t group)
{
	size_t most = 0;

	for (size_t h = 0; h < t->n; h++) {
		size_t g = t->rack[h], level = 0;

		while (g != group && g != PL_NO_GROUP) {
			g = t->within[g];
			level++;
		}
		if (g == group && level > most)
			most = level;
	}
	return most;
}

size_t pl_rates_levels(const struct pl_tiers *t)
{
	return t->n_groups > 0 ? find_level(t, PL_NO_GROUP) : 0;
}

size_t pl_rates_plan_hosts(const struct pl_rates_plan *p, size_t group, size_t *host)
{
	size_t n = 0;

	for (size_t h = 0; h < p->t.n; h++) {
		size_t g = p->t.rack[h];

		while (g != group && g != PL_NO_GROUP)
			g = p->t.within[g];
		if (g == group && p->up[h] && !p->met[h])
			host[n++] = h;
	}
	return n;
}

void pl_rates_plan_add(struct pl_rates_plan *p, size_t a, size_t b)
{
	p->met[a] = p->met[b] = true;
	p->v[p->n++] = (struct pl_probe_flow){.src = a, .dst = b};
	p->v[p->n++] = (struct pl_probe_flow){.src = b, .dst = a};
}

/* Groups that are in @outer but in none between; how many. */
static size_t list_inner(const struct pl_tiers *t, size_t outer, size_t *group)
{
	size_t n = 0;

	for (size_t g = 0; g < t->n_groups; g++)
		if (t->within[g] == outer)
			group[n++] = g;
	return n;
}

/* The fastest host of a group; PL_NO_GROUP: none is left. */
static size_t find_fastest(struct pl_rates_plan *p, size_t group)
{
	const size_t n = pl_rates_plan_hosts(p, group, p->host);
	size_t best = PL_NO_GROUP;

	for (size_t i = 0; i < n; i++)
		if (best == PL_NO_GROUP || p->most[p->host[i]] > p->most[best])
			best = p->host[i];
	return best;
}

/* One pair of hosts between two groups each. */
static void list_lone(struct pl_rates_plan *p, const size_t *group, size_t n)
{
	if (p->step >= pl_tournament_rounds(n) || p->step >= PL_RATES_ROUNDS_LONE)
		return;
	for (size_t i = 0; i < n; i++) {
		const size_t j = pl_tournament_peer(n, p->step, i);
		size_t a, b;

		if (j == PL_TOURNAMENT_REST || j < i)
			continue;
		a = find_fastest(p, group[i]);
		b = find_fastest(p, group[j]);
		if (a != PL_NO_GROUP && b != PL_NO_GROUP)
			pl_rates_plan_add(p, a, b);
	}
}

/* Rising @key. */
static void sort_by_key(const struct pl_rates_plan *p, size_t *host, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const size_t h = host[i];
		size_t k = i;

		for (; k > 0 && p->key[host[k - 1]] > p->key[h]; k--)
			host[k] = host[k - 1];
		host[k] = h;
	}
}

/* Hosts of the groups but for [from, to): the first of each group, the second of each ...,
 * beginning with another group in each step; how many. */
static size_t list_partners(struct pl_rates_plan *p, const size_t *group, size_t n, size_t from,
			    size_t to)
{
	size_t n_hosts = 0;

	for (size_t i = 0; i < n; i++) {
		size_t *host = p->other + n_hosts;
		size_t n_in;

		if (i >= from && i < to)
			continue;
		n_in = pl_rates_plan_hosts(p, group[i], host);
		for (size_t k = 0; k < n_in; k++)
			p->key[host[k]] = k * n + (i + n - to % n) % n;
		n_hosts += n_in;
	}
	sort_by_key(p, p->other, n_hosts);
	return n_hosts;
}

/* All hosts of the groups in [from, to), with others. */
static void fill_uplinks(struct pl_rates_plan *p, const size_t *group, size_t n, size_t from,
			 size_t to)
{
	const size_t n_partners = list_partners(p, group, n, from, to);
	size_t used = 0;

	for (size_t i = from; i < to; i++) {
		const size_t n_in = pl_rates_plan_hosts(p, group[i], p->host);

		for (size_t k = 0; k < n_in && used < n_partners; k++)
			pl_rates_plan_add(p, p->host[k], p->other[used++]);
	}
}

/* One group, or several at once where there are many. */
static void list_uplinks(struct pl_rates_plan *p, const size_t *group, size_t n)
{
	const size_t at_once = (n + PL_RATES_SETS_MOST - 1) / PL_RATES_SETS_MOST;
	const size_t from = p->step * at_once;

	if (n >= 2 && from < n && (n > 2 || p->step == 0))
		fill_uplinks(p, group, n, from, from + at_once < n ? from + at_once : n);
}

static double slower_way(const struct pl_link_rate *rate)
{
	return fmin(rate->out_bps, rate->in_bps);
}

static double faster_way(const struct pl_link_rate *rate)
{
	return fmax(rate->out_bps, rate->in_bps);
}

/* The rate of the slower direction, or of the known one where the other is not known; 0: neither
 * is. */
static double known_bps(const struct pl_link_rate *rate)
{
	return rate->out_bps > 0 && rate->in_bps > 0 ? slower_way(rate) : faster_way(rate);
}

static bool is_slow(const struct pl_link_rate *rate, const struct pl_link_rate *most)
{
	return (rate->out_bps > 0 && rate->out_bps < SLOW_SHARE * most->out_bps) ||
	       (rate->in_bps > 0 && rate->in_bps < SLOW_SHARE * most->in_bps);
}

/* Moves the groups whose uplinks are slower than others' to the front, the slowest first. Returns
 * how many these are. */
static size_t slow_first(const struct pl_rates_plan *p, size_t *group, size_t n)
{
	const struct pl_link_rate *uplink = p->t.uplink;
	struct pl_link_rate most = {0};
	size_t n_slow = 0;

	for (size_t i = 0; i < n; i++) {
		most.out_bps = fmax(most.out_bps, uplink[group[i]].out_bps);
		most.in_bps = fmax(most.in_bps, uplink[group[i]].in_bps);
	}
	for (size_t i = 0; i < n; i++) {
		const size_t g = group[i];
		size_t k;

		if (!is_slow(&uplink[g], &most))
			continue;
		group[i] = group[n_slow];
		for (k = n_slow++;
		     k > 0 && known_bps(&uplink[group[k - 1]]) > known_bps(&uplink[g]); k--)
			group[k] = group[k - 1];
		group[k] = g;
	}
	return n_slow;
}

/* Fills p->load[n] with what each other group's uplink carries while those of [from, to) are full,
 * with the pairs that fill_uplinks makes, bits per second. False: there are too few partners. */
static bool load_others(struct pl_rates_plan *p, const size_t *group, size_t n, size_t from,
			size_t to)
{
	const size_t n_partners = list_partners(p, group, n, from, to);
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		p->load[i] = 0;
	for (size_t i = from; i < to; i++) {
		const size_t n_in = pl_rates_plan_hosts(p, group[i], p->host);
		const double bps = faster_way(&p->t.uplink[group[i]]);

		for (size_t k = 0; k < n_in; k++) {
			size_t other;

			if (used == n_partners)
				return false;
			other = p->key[p->other[used++]] % n; /* from to on */
			p->load[(other + to) % n] += bps / (double)n_in;
		}
	}
	return true;
}

/* Can the other groups' uplinks carry what those of [from, to) do, so that one set measures all of
 * these? */
static bool others_pass(struct pl_rates_plan *p, const size_t *group, size_t n, size_t from,
			size_t to)
{
	if (!load_others(p, group, n, from, to))
		return false;
	for (size_t i = 0; i < n; i++) {
		const double bps = known_bps(&p->t.uplink[group[i]]);

		if ((i < from || i >= to) && bps > 0 && p->load[i] > OTHERS_SHARE * bps)
			return false;
	}
	return true;
}

/* Measures again the groups whose uplinks are slower than others': a disturbance may have made them
 * slower. Each set takes as many of them, the slowest first, as the other groups' uplinks can
 * carry; this lists set number p->step. */
static void list_again(struct pl_rates_plan *p, size_t *group, size_t n)
{
	const size_t n_slow = n > 2 ? slow_first(p, group, n) : 0;
	size_t from = 0, to;

	for (size_t step = 0; from < n_slow; step++) {
		to = from + 1;
		while (to < n_slow && others_pass(p, group, n, from, to + 1))
			to++;
		if (step == p->step) {
			fill_uplinks(p, group, n, from, to);
			return;
		}
		from = to;
	}
}

void pl_rates_plan_between(struct pl_rates_plan *p, enum pl_rates_plan_stage stage)
{
	/* in all groups of the level at once, which have no link in common */
	for (size_t k = 0; k <= p->t.n_groups; k++) {
		const size_t outer = k < p->t.n_groups ? k : PL_NO_GROUP;
		size_t n;

		if (find_level(&p->t, outer) != p->level)
			continue;
		n = list_inner(&p->t, outer, p->group);
		if (stage == PL_RATES_LONE)
			list_lone(p, p->group, n);
		else if (stage == PL_RATES_UPLINKS)
			list_uplinks(p, p->group, n);
		else
			list_again(p, p->group, n);
	}
}

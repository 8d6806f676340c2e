/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c - what no order of a job costs less than */
#include "config.h"

#include "order/job/parts.h"
#include "order/job/solve.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Hosts that hops of at most t join, directly or not, make parts. A group of s seats, in parts of
 * at most m seats, is in at least q = s / m parts, which hops of more than t must join: q of a
 * ring, q - 1 of whatever else joins its seats. The integral of that number over t is a bound of
 * the sum of the hops; the t from where one part is large enough, one of the dearest hop. Where all
 * seats are in groups, some group has a seat at each host, too: then its part has the size of the
 * host's.
 *
 * The parts are those of the cheapest spanning tree, cut at t. What holds for several kinds
 * together is in bound-kinds.c.
 */

/* With more seats, groups in which all pairs send at once count by parts, too, not by how far each
 * seat must reach. */
#define REACH_MAX 2048

struct parts {
	size_t n;                /* hosts */
	struct pl_job_edge *way; /* [n] scratch */
	size_t *part, *size;     /* [n] of a host; seats of a part */
	double *sum, *slowest;   /* [n] by host */
	bool single;             /* no host has several seats */
	bool *seen;              /* [seats] scratch */
	double *cost;            /* [seats] scratch */
};

/* [n_terms] each. */
struct terms {
	struct parts parts;
	struct pl_job_edge **tree; /* the cheapest tree of their hops */
	double *alone;             /* bounds */
};

/* The least number of parts that @s seats are in, of which one has @own and
 * all others at most @most; at least 1. */
static size_t parts_of(size_t s, size_t own, size_t most)
{
	return s > own ? 1 + (s - own + most - 1) / most : 1;
}

static double hops_between(const struct pl_job_outline *o, size_t n_parts)
{
	if (n_parts < 2)
		return 0;
	return (double)(o->is_ring ? n_parts : (n_parts - 1) * o->cut);
}

static void join(struct parts *p, const struct pl_job_edge *e)
{
	const size_t a = p->part[e->a], b = p->part[e->b];

	for (size_t h = 0; h < p->n; h++)
		if (p->part[h] == b)
			p->part[h] = a;
	p->size[a] += p->size[b];
	p->size[b] = 0;
}

/* What hops join up to the next edge, of @dt more. */
static void add(struct parts *p, const struct pl_job_outline *o, double dt, size_t s)
{
	size_t most = 1;

	for (size_t h = 0; h < p->n; h++)
		most = p->size[h] > most ? p->size[h] : most;
	for (size_t h = 0; h < p->n; h++) {
		const size_t n = parts_of(s, p->size[p->part[h]], most);

		p->sum[h] += dt * hops_between(o, n);
		p->slowest[h] += n > 1 ? dt : 0;
	}
}

/* By host: bounds for a group of which a seat is there. */
static void integrate(struct parts *p, const struct pl_job_edge *tree,
		      const struct pl_job_outline *o, const size_t *host_at, size_t n_seats)
{
	double t = 0;

	memset(p->size, 0, p->n * sizeof(*p->size));
	for (size_t i = 0; i < n_seats; i++)
		p->size[host_at[i]]++;
	p->single = true;
	for (size_t h = 0; h < p->n; h++) {
		p->part[h] = h;
		p->sum[h] = p->slowest[h] = 0;
		p->single &= p->size[h] <= 1;
	}
	for (size_t i = 0; i + 1 < p->n; t = tree[i++].cost) {
		add(p, o, tree[i].cost - t, o->n_seats);
		join(p, &tree[i]);
	}
}

/* The least for any host with a seat, or the most. */
static double over_hosts(const double *value, bool most, const size_t *host_at, size_t n_seats)
{
	double best = n_seats ? value[host_at[0]] : 0;

	for (size_t i = 0; i < n_seats; i++)
		best = most ? fmax(best, value[host_at[i]]) : fmin(best, value[host_at[i]]);
	return best;
}

/* Is every seat in one of the groups? @seen [seats] is scratch. */
static bool covers(const struct pl_job_cost *c, const struct pl_job_term *term, bool *seen)
{
	size_t left = c->o.seats.n;

	memset(seen, 0, left * sizeof(*seen));
	for (size_t g = term->first; g < term->first + term->n; g++)
		for (size_t p = 0; p < c->group[g].n_pos; p++) {
			left -= !seen[c->group[g].seat[p]];
			seen[c->group[g].seat[p]] = true;
		}
	return left == 0;
}

/* The outline of the group with the most seats. */
static struct pl_job_outline largest(const struct pl_job_cost *c, const struct pl_job_term *term)
{
	const struct pl_job_group *group = &c->group[term->first];
	struct pl_job_outline o;

	for (size_t g = term->first; g < term->first + term->n; g++)
		if (c->group[g].outline.n_seats > group->outline.n_seats)
			group = &c->group[g];
	o = group->outline;
	o.times *= group->factor;
	return o;
}

/* A group of s seats in which each sends to each: from a host with one of them, the dearest hop
 * goes to the s - 1st nearest seat or farther. */
static void reach(struct parts *p, const struct pl_job_cost *c, const struct pl_job_outline *o,
		  const size_t *host_at)
{
	const size_t n = c->o.seats.n;
	double *cost = p->cost;

	for (size_t h = 0; h < p->n; h++) {
		for (size_t i = 0; i < n; i++)
			cost[i] = fmax(pl_job_hop(&c->o.costs, o->bytes, h, host_at[i]),
				       pl_job_hop(&c->o.costs, o->bytes, host_at[i], h));
		pl_sort_doubles(cost, n);
		p->slowest[h] = fmax(p->slowest[h], cost[o->n_seats - 1]);
	}
}

/* The bound of the slowest group of a term. */
static double of_term(struct parts *p, const struct pl_job_cost *c, const struct pl_job_term *term,
		      const struct pl_job_edge *tree, const size_t *host_at)
{
	const bool covered = covers(c, term, p->seen);
	const struct pl_job_outline o = covered ? pl_job_outline_least(c, term) : largest(c, term);
	const size_t n = c->o.seats.n;
	double bound, least;

	if (p->n < 2 || o.n_hops == 0)
		return 0;
	integrate(p, tree, &o, host_at, n);
	if (o.is_pairs && o.n_seats > 0 && n <= REACH_MAX)
		reach(p, c, &o, host_at);
	least = p->single ? tree[0].cost : 0;
	if (o.n_seats == 0)
		bound = o.kind == PL_SUM ? (double)o.n_hops * least : 0;
	else
		bound = over_hosts(o.kind == PL_SUM ? p->sum : p->slowest, covered, host_at, n);
	if (o.kind == PL_SUM_OF_MAXIMA && o.is_wide && o.n_seats > 0)
		bound += (double)(o.n_rounds - 1) * least;
	return bound * o.times;
}

static int parts_init(struct parts *p, const struct pl_job_cost *c)
{
	const size_t n = c->o.costs.n;

	p->n = n;
	p->way = pl_array_create(n, sizeof(*p->way));
	p->part = pl_array_create(n, sizeof(*p->part));
	p->size = pl_array_create(n, sizeof(*p->size));
	p->sum = pl_array_create(n, sizeof(*p->sum));
	p->slowest = pl_array_create(n, sizeof(*p->slowest));
	p->seen = pl_array_create(c->o.seats.n, sizeof(*p->seen));
	p->cost = pl_array_create(c->o.seats.n, sizeof(*p->cost));
	return p->way && p->part && p->size && p->sum && p->slowest && p->seen && p->cost ? 0 : -1;
}

static void parts_fini(struct parts *p)
{
	free(p->way);
	free(p->part);
	free(p->size);
	free(p->sum);
	free(p->slowest);
	free(p->seen);
	free(p->cost);
}

/* Raises *bound to that of the flows. */
static int bound_flows(const struct pl_job_cost *c, const size_t *host_at, double *bound)
{
	struct pl_job_flows flows = {0};
	struct pl_err err = {0};
	double value = 0;
	int rc = -1;

	if (pl_job_flows_init(&flows, &c->o, host_at) == 0)
		rc = pl_assign_bound(&flows.problem, &value, &err);
	pl_job_flows_fini(&flows);
	*bound = fmax(*bound, value);
	return rc;
}

/* The sum of what holds for each term alone, or what holds for all. */
static int bound_terms(const struct pl_job_cost *c, const size_t *host_at, struct terms *t,
		       double *bound)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < c->n_terms; i++) {
		const struct pl_job_term *term = &c->term[i];

		if (term->n == 0)
			continue;
		t->tree[i] = pl_array_create(c->o.costs.n, sizeof(**t->tree));
		if (!t->tree[i])
			return -1;
		pl_job_span(t->tree[i], t->parts.way, &c->o.costs,
			    pl_job_outline_least(c, term).bytes);
		t->alone[i] = term->weight * of_term(&t->parts, c, term, t->tree[i], host_at);
		sum += t->alone[i];
	}
	if (pl_job_bound_together(c, host_at, t->tree, t->alone, &all))
		return -1;
	*bound = fmax(sum, all);
	return 0;
}

int pl_job_bound(const struct pl_job_cost *c, const size_t *host_at, double *bound)
{
	struct terms t = {.tree = pl_array_create(c->n_terms, sizeof(*t.tree)),
			  .alone = pl_array_create(c->n_terms, sizeof(*t.alone))};
	int rc = -1;

	if (t.tree && t.alone && parts_init(&t.parts, c) == 0)
		rc = bound_terms(c, host_at, &t, bound);
	for (size_t i = 0; t.tree && i < c->n_terms; i++)
		free(t.tree[i]);
	free(t.tree);
	free(t.alone);
	parts_fini(&t.parts);
	if (rc == 0 && pl_job_only_sends(&c->o))
		rc = bound_flows(c, host_at, bound);
	return rc;
}

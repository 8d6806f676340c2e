/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c - what no order of a job costs less than */
#include "config.h"

#include "order/job/parts.h"
#include "order/job/solve.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Hosts that hops of at most t join, directly or not, make parts. A group of s
 * seats, in parts of at most m seats, is in at least q = s / m parts, which
 * hops of more than t must join: q of a ring, q - 1 of whatever else joins its
 * seats. The integral of that number over t is a bound of the sum of the hops;
 * the t from where one part is large enough, one of the dearest hop. Where all
 * seats are in groups, some group has a seat at each host, too: then its part
 * has the size of the host's.
 *
 * The parts are those of the cheapest spanning tree, cut at t.
 */
struct edge {
	double cost;
	size_t a, b;
};

struct parts {
	size_t n;                /* hosts */
	struct edge *edge, *way; /* [n - 1] by cost; [n] scratch */
	size_t *part, *size;     /* [n] of a host; seats of a part */
	double *sum, *slowest;   /* [n] by host */
	bool single;             /* no host has several seats */
};

static int by_cost(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	return a->cost < b->cost ? -1 : a->cost > b->cost;
}

static double hop(const struct pl_costs *costs, double bytes, size_t a,
		  size_t b)
{
	const size_t n = costs->n;
	double there = costs->c[a * n + b], back = costs->c[b * n + a];

	if (costs->per_byte) {
		there += bytes * costs->per_byte[a * n + b];
		back += bytes * costs->per_byte[b * n + a];
	}
	return fmin(there, back);
}

/* The cheapest spanning tree, by Prim's algorithm: way[i] is the cheapest edge
 * from the tree to host i, NAN once it is in the tree. */
static void span(struct edge *edge, struct edge *way,
		 const struct pl_costs *costs, double bytes)
{
	const size_t n = costs->n;
	size_t last = 0;

	for (size_t i = 0; i < n; i++)
		way[i] = (struct edge){i ? INFINITY : NAN, 0, i};
	for (size_t k = 0; k + 1 < n; k++) {
		size_t next = 0;

		for (size_t i = 1; i < n; i++) {
			double cost;

			if (isnan(way[i].cost))
				continue;
			cost = hop(costs, bytes, last, i);
			if (cost < way[i].cost)
				way[i] = (struct edge){cost, last, i};
			if (next == 0 || way[i].cost < way[next].cost)
				next = i;
		}
		edge[k] = way[next];
		way[next].cost = NAN;
		last = next;
	}
	if (n > 1)
		qsort(edge, n - 1, sizeof(*edge), by_cost);
}

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

static void join(struct parts *p, const struct edge *e)
{
	const size_t a = p->part[e->a], b = p->part[e->b];

	for (size_t h = 0; h < p->n; h++)
		if (p->part[h] == b)
			p->part[h] = a;
	p->size[a] += p->size[b];
	p->size[b] = 0;
}

/* What hops join up to the next edge, of @dt more. */
static void add(struct parts *p, const struct pl_job_outline *o, double dt,
		size_t s)
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

/* By host: bounds for a group of @s seats of which one is there. */
static void integrate(struct parts *p, const struct pl_costs *costs,
		      const struct pl_job_outline *o, const size_t *host_at,
		      size_t n_seats, size_t s)
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
	span(p->edge, p->way, costs, o->bytes);
	for (size_t i = 0; i + 1 < p->n; t = p->edge[i++].cost) {
		add(p, o, p->edge[i].cost - t, s);
		join(p, &p->edge[i]);
	}
}

/* The least for any host with a seat, or the most. */
static double over_hosts(const double *value, bool most, const size_t *host_at,
			 size_t n_seats)
{
	double best = n_seats ? value[host_at[0]] : 0;

	for (size_t i = 0; i < n_seats; i++)
		best = most ? fmax(best, value[host_at[i]])
			    : fmin(best, value[host_at[i]]);
	return best;
}

/* Is every seat in one of the groups? @seen[n_seats] is zeroed. */
static bool covers(const struct pl_job_cost *c, const struct pl_job_term *term,
		   bool *seen)
{
	size_t left = c->o.seats.n;

	for (size_t g = term->first; g < term->first + term->n; g++)
		for (size_t p = 0; p < c->group[g].n_pos; p++) {
			left -= !seen[c->group[g].seat[p]];
			seen[c->group[g].seat[p]] = true;
		}
	return left == 0;
}

/* The group of the term with the fewest seats, or the most. */
static const struct pl_job_group *
extreme(const struct pl_job_cost *c, const struct pl_job_term *term, bool most)
{
	const struct pl_job_group *found = &c->group[term->first];

	for (size_t g = term->first; g < term->first + term->n; g++) {
		const size_t n = c->group[g].outline.n_seats;

		if (most ? n > found->outline.n_seats
			 : n < found->outline.n_seats)
			found = &c->group[g];
	}
	return found;
}

/* The bound of the slowest group of a term. */
static double of_term(struct parts *p, const struct pl_job_cost *c,
		      const struct pl_job_term *term, bool covered,
		      const size_t *host_at)
{
	const struct pl_job_group *group = extreme(c, term, !covered);
	const struct pl_job_outline *o = &group->outline;
	const size_t n = c->o.seats.n;
	double bound, least;

	if (p->n < 2 || o->n_hops == 0)
		return 0;
	integrate(p, &c->o.costs, o, host_at, n, o->n_seats);
	least = p->single ? p->edge[0].cost : 0;
	if (o->n_seats == 0)
		bound = o->kind == PL_SUM ? (double)o->n_hops * least : 0;
	else
		bound = over_hosts(o->kind == PL_SUM ? p->sum : p->slowest,
				   covered, host_at, n);
	if (o->kind == PL_SUM_OF_MAXIMA && o->is_wide && o->n_seats > 0)
		bound += (double)(o->n_rounds - 1) * least;
	return bound * o->times * group->factor;
}

static int parts_init(struct parts *p, size_t n)
{
	p->n = n;
	p->edge = pl_array_create(n, sizeof(*p->edge));
	p->way = pl_array_create(n, sizeof(*p->way));
	p->part = pl_array_create(n, sizeof(*p->part));
	p->size = pl_array_create(n, sizeof(*p->size));
	p->sum = pl_array_create(n, sizeof(*p->sum));
	p->slowest = pl_array_create(n, sizeof(*p->slowest));
	return p->edge && p->way && p->part && p->size && p->sum && p->slowest
		       ? 0
		       : -1;
}

static void parts_fini(struct parts *p)
{
	free(p->edge);
	free(p->way);
	free(p->part);
	free(p->size);
	free(p->sum);
	free(p->slowest);
}

/* Raises *bound to that of the flows. */
static int bound_flows(const struct pl_job_cost *c, const size_t *host_at,
		       double *bound)
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

int pl_job_bound(const struct pl_job_cost *c, const size_t *host_at,
		 double *bound)
{
	const size_t n = c->o.seats.n;
	bool *seen = pl_array_create(n, sizeof(*seen));
	struct parts p = {0};
	int rc = seen ? parts_init(&p, c->o.costs.n) : -1;

	*bound = 0;
	for (size_t t = 0; rc == 0 && t < c->n_terms; t++) {
		if (c->term[t].n == 0)
			continue;
		memset(seen, 0, n * sizeof(*seen));
		*bound += c->term[t].weight *
			  of_term(&p, c, &c->term[t],
				  covers(c, &c->term[t], seen), host_at);
	}
	parts_fini(&p);
	free(seen);
	if (rc == 0 && pl_job_only_sends(&c->o))
		rc = bound_flows(c, host_at, bound);
	return rc;
}

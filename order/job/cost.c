/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c - what a step of a job costs in an order of hosts */
#include "config.h"

#include "order/job/cost.h"

#include "base/mem.h"
#include "costmodels/ring.h"
#include "order/job/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MEAN_SHARE 0.01 /* of the mean group in what a search minimises */

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Does each seat send to each, all at once? Then all orders cost the same. */
static bool is_even(const struct pl_job_cost *c, const struct pl_job_group *g)
{
	return g->outline.is_pairs && g->outline.n_seats == c->o.seats.n;
}

bool pl_job_cost_is_even(const struct pl_job_cost *c)
{
	for (size_t g = 0; g < c->n_groups; g++)
		if (!is_even(c, &c->group[g]))
			return false;
	return true;
}

static size_t n_moving(const struct pl_job_cost *c, const struct pl_job_group *g)
{
	return is_even(c, g) ? 0 : g->n_pos;
}

/* Which positions are at which seat, by counting; not those of groups whose cost no exchange
 * changes. */
static int list_places(struct pl_job_cost *c)
{
	const size_t n = c->o.seats.n;
	size_t n_places = 0;

	c->from = pl_array_create(n + 2, sizeof(*c->from));
	if (!c->from)
		return -1;
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t p = 0; p < n_moving(c, &c->group[g]); p++, n_places++)
			c->from[c->group[g].seat[p] + 2]++;
	for (size_t s = 2; s <= n + 1; s++)
		c->from[s] += c->from[s - 1];
	c->place = pl_array_create(n_places, sizeof(*c->place));
	if (!c->place)
		return -1;
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t p = 0; p < n_moving(c, &c->group[g]); p++)
			c->place[c->from[c->group[g].seat[p] + 1]++] =
				(struct pl_job_place){(uint32_t)g, (uint32_t)p};
	return 0;
}

static int allocate(struct pl_job_cost *c)
{
	size_t most = 0;

	for (size_t g = 0; g < c->n_groups; g++)
		if (c->group[g].n_pos > most)
			most = c->group[g].n_pos;
	c->scratch = pl_array_create(most, sizeof(*c->scratch));
	c->term_of = pl_array_create(c->n_groups, sizeof(*c->term_of));
	c->host_at = pl_array_create(c->o.seats.n, sizeof(*c->host_at));
	if (!c->scratch || !c->term_of || !c->host_at)
		return -1;
	for (size_t t = 0; t < c->n_terms; t++) {
		struct pl_job_term *term = &c->term[t];

		term->node = pl_array_create(term->n + 1, 2 * sizeof(*term->node));
		if (!term->node)
			return -1;
		for (size_t g = 0; g < term->n; g++)
			c->term_of[term->first + g] = (uint32_t)t;
	}
	return list_places(c);
}

struct pl_job_cost *pl_job_cost_create(const struct pl_job_cost_options *o, struct pl_err *err)
{
	struct pl_job_cost *c = pl_array_create(1, sizeof(*c));

	if (!c) {
		pl_err_nomem(err);
		return NULL;
	}
	c->o = *o;
	c->o.costs.symmetric = pl_costs_symmetric(o->costs.c, o->costs.n) &&
			       pl_costs_symmetric(o->costs.per_byte, o->costs.n);
	for (size_t k = 0; k < o->job->n_kinds; k++)
		if (pl_job_is_wanted(o, k) && pl_job_cost_add_kind(c, k, err))
			goto fail;
	if (allocate(c)) {
		pl_err_nomem(err);
		goto fail;
	}
	pl_job_cost_set(c, c->host_at);
	return c;
fail:
	pl_job_cost_destroy(c);
	return NULL;
}

void pl_job_cost_destroy(struct pl_job_cost *c)
{
	if (!c)
		return;
	for (size_t g = 0; g < c->n_groups; g++) {
		pl_objective_destroy(c->group[g].objective);
		free(c->group[g].seat);
	}
	for (size_t t = 0; t < c->n_terms; t++)
		free(c->term[t].node);
	free(c->group);
	free(c->term);
	free(c->term_of);
	free(c->place);
	free(c->from);
	free(c->host_at);
	free(c->scratch);
	free(c);
}

static double slowest(const struct pl_job_term *term)
{
	return term->n > 0 ? term->node[1] : 0;
}

double pl_job_cost_now(const struct pl_job_cost *c)
{
	double sum = 0;

	for (size_t t = 0; t < c->n_terms; t++)
		sum += c->term[t].weight * slowest(&c->term[t]);
	return sum;
}

double pl_job_cost_smooth(const struct pl_job_cost *c)
{
	double sum = 0;

	for (size_t t = 0; t < c->n_terms; t++) {
		const struct pl_job_term *term = &c->term[t];

		if (term->n > 0)
			sum += term->weight *
			       (slowest(term) + MEAN_SHARE * term->sum / (double)term->n);
	}
	return sum;
}

double pl_job_cost_kind(const struct pl_job_cost *c, size_t k)
{
	double sum = 0;

	for (size_t t = 0; t < c->n_terms; t++)
		if (c->term[t].kind == k)
			sum += c->term[t].weight * slowest(&c->term[t]);
	return sum;
}

const size_t *pl_job_cost_order(const struct pl_job_cost *c)
{
	return c->host_at;
}

static double set_group(struct pl_job_cost *c, const struct pl_job_group *group)
{
	for (size_t p = 0; p < group->n_pos; p++)
		c->scratch[p] = c->host_at[group->seat[p]];
	return pl_objective_set(group->objective, c->scratch) * group->factor;
}

static void set_term(struct pl_job_cost *c, struct pl_job_term *term)
{
	term->sum = 0;
	for (size_t i = 0; i < term->n; i++) {
		const double cost = set_group(c, &c->group[term->first + i]);

		term->node[term->n + i] = cost;
		term->sum += cost;
	}
	for (size_t i = term->n; i-- > 1;)
		term->node[i] = larger(term->node[2 * i], term->node[2 * i + 1]);
}

double pl_job_cost_set(struct pl_job_cost *c, const size_t *host_at)
{
	if (host_at != c->host_at)
		memcpy(c->host_at, host_at, c->o.seats.n * sizeof(*host_at));
	for (size_t t = 0; t < c->n_terms; t++)
		set_term(c, &c->term[t]);
	return pl_job_cost_now(c);
}

/* Group @i of the term has another cost. */
static void put(struct pl_job_term *term, size_t i, double cost)
{
	size_t node = term->n + i;

	term->sum += cost - term->node[node];
	term->node[node] = cost;
	while (node > 1) {
		double top;

		node /= 2;
		top = larger(term->node[2 * node], term->node[2 * node + 1]);
		if (term->node[node] == top)
			return;
		term->node[node] = top;
	}
}

static void seat_host(struct pl_job_cost *c, size_t seat, size_t host)
{
	c->host_at[seat] = host;
	for (size_t i = c->from[seat]; i < c->from[seat + 1]; i++) {
		const struct pl_job_place *at = &c->place[i];
		const struct pl_job_group *group = &c->group[at->group];
		struct pl_job_term *term = &c->term[c->term_of[at->group]];
		const double cost = pl_objective_put(group->objective, at->pos, host);

		put(term, at->group - term->first, cost * group->factor);
	}
}

static void fetch(const struct pl_job_cost *c, size_t seat, size_t host)
{
	for (size_t i = c->from[seat]; i < c->from[seat + 1]; i++)
		pl_objective_fetch(c->group[c->place[i].group].objective, c->place[i].pos, host);
}

double pl_job_cost_exchange(struct pl_job_cost *c, size_t a, size_t b)
{
	const size_t host = c->host_at[a];

	assert(a < c->o.seats.n && b < c->o.seats.n);
	fetch(c, a, c->host_at[b]);
	fetch(c, b, host);
	seat_host(c, a, c->host_at[b]);
	seat_host(c, b, host);
	return pl_job_cost_now(c);
}

/* The group at the top of the tournament. */
static size_t top_of(const struct pl_job_term *term)
{
	size_t node = 1;

	while (node < term->n)
		node = 2 * node + (term->node[2 * node + 1] > term->node[2 * node]);
	return term->first + node - term->n;
}

int pl_job_cost_critical(const struct pl_job_cost *c, uint64_t pick, size_t seats[2])
{
	for (size_t i = 0; i < c->n_terms; i++) {
		const struct pl_job_term *term = &c->term[(pick + i) % c->n_terms];
		const struct pl_job_group *group;
		size_t ends[2];

		if (term->n == 0)
			continue;
		group = &c->group[top_of(term)];
		if (is_even(c, group) ||
		    pl_objective_critical(group->objective, pick / c->n_terms, ends))
			continue;
		seats[0] = group->seat[ends[0]];
		seats[1] = group->seat[ends[1]];
		return 0;
	}
	return -1;
}

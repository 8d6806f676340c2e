/* SPDX-License-Identifier: BSD-3-Clause */
/* population.c - assignments that are crossed, and tabu search from each
 * child */
#include "config.h"

#include "solver/assign/population.h"

#include "base/mem.h"
#include "solver/assign/tabu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS 15

/* Steps of a run of tabu search, for each slot. */
#define STEPS 10

/* Children in a row that do not become members, after which all members but the best one are drawn
 * anew. */
#define PATIENCE 50

/* Costs that differ by less are taken for those of one assignment. */
#define ROUNDING 1e-12

#define NONE SIZE_MAX

struct population {
	const struct pl_assign_flows *flows;
	const struct pl_assign_options *options;
	struct pl_assign_tabu tabu;
	struct pl_rng rng;
	size_t *member[MEMBERS]; /* [n_pos] */
	double cost[MEMBERS];
	size_t n;      /* members so far */
	size_t *child; /* [n_pos] */
	size_t *left;  /* [n_hosts] free slots */
	size_t *order; /* [n_slots] scratch */
	double best_cost;
	size_t *best; /* [n_pos] borrowed: the result */
	struct pl_assign_result *result;
	size_t failures; /* children in a row that were of no use */
};

static int population_init(struct population *s, struct pl_err *err)
{
	const struct pl_assign_flows *f = s->flows;
	bool enough;

	if (pl_assign_tabu_init(&s->tabu, f, err))
		return -1;
	s->child = pl_array_create(f->n_pos, sizeof(*s->child));
	s->left = pl_array_create(f->n_hosts, sizeof(*s->left));
	s->order = pl_array_create(f->n_slots, sizeof(*s->order));
	enough = s->child && s->left && s->order;
	for (size_t k = 0; k < MEMBERS; k++) {
		s->member[k] = pl_array_create(f->n_pos, sizeof(*s->child));
		enough = enough && s->member[k];
	}
	return enough ? 0 : pl_err_nomem(err);
}

static void population_fini(struct population *s)
{
	pl_assign_tabu_fini(&s->tabu);
	free(s->child);
	free(s->left);
	free(s->order);
	for (size_t k = 0; k < MEMBERS; k++)
		free(s->member[k]);
}

/* Any slots, each as likely. */
static void draw_child(struct population *s)
{
	for (size_t k = 0; k < s->flows->n_slots; k++)
		s->order[k] = k;
	pl_rng_shuffle(&s->rng, s->order, s->flows->n_slots);
	for (size_t p = 0; p < s->flows->n_pos; p++)
		s->child[p] = s->tabu.host_of[s->order[p]];
}

static bool take(struct population *s, size_t pos, size_t host)
{
	if (s->left[host] == 0)
		return false;
	s->left[host]--;
	s->child[pos] = host;
	return true;
}

/* Where both parents have a position on one host, the child has it there, too; else it is where one
 * of them has it, if there is room; the rest is drawn. */
static void cross(struct population *s, const size_t *a, const size_t *b)
{
	const struct pl_assign_flows *f = s->flows;
	size_t n_free = 0;

	for (size_t h = 0; h < f->n_hosts; h++)
		s->left[h] = f->slot[h + 1] - f->slot[h];
	for (size_t p = 0; p < f->n_pos; p++) {
		s->child[p] = NONE;
		s->order[p] = p;
		if (a[p] == b[p])
			take(s, p, a[p]);
	}
	pl_rng_shuffle(&s->rng, s->order, f->n_pos);
	for (size_t k = 0; k < f->n_pos; k++) {
		const size_t p = s->order[k];
		const bool first = pl_rng_u64(&s->rng) & 1;

		if (s->child[p] == NONE && !take(s, p, first ? a[p] : b[p]))
			take(s, p, first ? b[p] : a[p]);
	}
	for (size_t h = 0; h < f->n_hosts; h++)
		for (; s->left[h] > 0; s->left[h]--)
			s->order[n_free++] = h;
	pl_rng_shuffle(&s->rng, s->order, n_free);
	for (size_t p = 0; p < f->n_pos; p++)
		if (s->child[p] == NONE)
			s->child[p] = s->order[--n_free];
}

static void make_child(struct population *s)
{
	size_t a, b;

	if (s->n < MEMBERS) {
		if (s->result->restarts > 0)
			draw_child(s);
		return;
	}
	a = pl_rng_below(&s->rng, MEMBERS);
	b = pl_rng_below(&s->rng, MEMBERS - 1);
	cross(s, s->member[a], s->member[b + (b >= a)]);
}

static bool is_known(const struct population *s, double cost)
{
	for (size_t k = 0; k < s->n; k++)
		if (fabs(s->cost[k] - cost) <= ROUNDING * fabs(cost))
			return true;
	return false;
}

static void replace(struct population *s, size_t k)
{
	memcpy(s->member[k], s->tabu.best, s->flows->n_pos * sizeof(*s->tabu.best));
	s->cost[k] = s->tabu.best_cost;
}

static size_t worst(const struct population *s)
{
	size_t w = 0;

	for (size_t k = 1; k < s->n; k++)
		if (s->cost[k] > s->cost[w])
			w = k;
	return w;
}

/* Forgets all members but the best one. */
static void renew(struct population *s)
{
	memcpy(s->member[0], s->best, s->flows->n_pos * sizeof(*s->best));
	s->cost[0] = s->best_cost;
	s->n = 1;
	s->failures = 0;
}

static void keep(struct population *s)
{
	const double cost = s->tabu.best_cost;

	if (cost < s->best_cost) {
		s->best_cost = cost;
		memcpy(s->best, s->tabu.best, s->flows->n_pos * sizeof(*s->best));
	}
	if (s->n < MEMBERS) {
		replace(s, s->n++);
	} else if (cost < s->cost[worst(s)] && !is_known(s, cost)) {
		replace(s, worst(s));
		s->failures = 0;
	} else if (++s->failures == PATIENCE) {
		renew(s);
	}
}

static void tell(const struct population *s)
{
	const struct pl_restarts_progress now = {s->result->restarts, s->result->moves,
						 s->best_cost};

	if (s->options->progress)
		s->options->progress(s->options->progress_arg, &now);
}

static void search(struct population *s)
{
	const uint64_t share = STEPS * (uint64_t)s->flows->n_slots;
	enum pl_restart_end end = PL_RESTART_SPENT;

	while (end == PL_RESTART_SPENT && s->result->moves < s->options->moves) {
		const uint64_t left = s->options->moves - s->result->moves;
		const struct pl_assign_tabu_job job = {
			.steps = left < share ? left : share,
			.target = s->options->target,
			.stop = s->options->stop,
		};
		uint64_t steps;

		make_child(s);
		pl_assign_tabu_set(&s->tabu, s->child);
		end = pl_assign_tabu_run(&s->tabu, &job, &s->rng, &steps);
		s->result->restarts++;
		s->result->moves += steps;
		keep(s);
		tell(s);
	}
	s->result->stopped = end == PL_RESTART_STOPPED;
}

int pl_assign_population(const struct pl_assign_flows *flows,
			 const struct pl_assign_options *options, size_t *host_at,
			 struct pl_assign_result *result, struct pl_err *err)
{
	struct population s = {
		.flows = flows,
		.options = options,
		.best_cost = INFINITY,
		.best = host_at,
		.result = result,
	};
	const int rc = population_init(&s, err);

	if (rc == 0) {
		pl_rng_init(&s.rng, options->seed, options->stream);
		memcpy(s.child, host_at, flows->n_pos * sizeof(*host_at));
		search(&s);
	}
	population_fini(&s);
	return rc;
}

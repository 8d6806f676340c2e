/* SPDX-License-Identifier: BSD-3-Clause */
/* smooth.c - annealing of sums of maxima by a smooth cost in their place */
#include "config.h"

#include "solver/order/smooth.h"

#include "base/mem.h"
#include "costmodels/ring.h"
#include "solver/order/smooth-moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds that usually cost the same, and now differ by less, may be taken as one. */
#define ALIKE 1.5

/* To the power of 2^3, or 2^4. */
#define POWER_DOUBLINGS 3
#define POWER_DOUBLINGS_FINE 4

/* The dearest hop is at least this share of its cost above zero. */
#define SPREAD_MIN 0.05

/* Moves for each seat between looks at the true cost, and at job->stop. */
#define MOVES_PER_LOOK 8

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_kind(const void *a, const void *b)
{
	const struct pl_smooth_hop *x = a, *y = b;
	int order = compare(x->group, y->group);

	if (order == 0)
		order = compare(x->other, y->other);
	if (order == 0)
		order = compare(x->enters, y->enters);
	if (order == 0)
		order = (x->times > y->times) - (x->times < y->times);
	return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Sorts the hops of each seat and drops those that are there already. */
static void drop_doubles(struct pl_smooth *s)
{
	size_t n = 0, first = 0;

	for (size_t p = 0; p < s->n; p++) {
		struct pl_smooth_hop *hop = s->hop + first;
		const size_t n_hops = s->from[p + 1] - first;
		const size_t kept = n;

		first = s->from[p + 1];
		if (n_hops > 0)
			qsort(hop, n_hops, sizeof(*hop), by_kind);
		for (size_t i = 0; i < n_hops; i++)
			if (n == kept || by_kind(&s->hop[n - 1], &hop[i]))
				s->hop[n++] = hop[i];
		s->from[p] = kept;
	}
	s->from[s->n] = n;
}

static void put_hop(struct pl_smooth *s, size_t seat, size_t other, const struct pl_hop *hop,
		    bool enters)
{
	s->hop[--s->from[seat]] =
		(struct pl_smooth_hop){(uint32_t)other, hop->group, enters, hop->times, hop->bytes};
}

/* By counting: from[] are ends first, and beginnings once all are put. */
static void list_hops(struct pl_smooth *s, bool symmetric)
{
	const struct pl_shape *shape = s->shape;

	for (size_t h = 0; h < shape->n_hops; h++) {
		s->from[shape->hop[h].src]++;
		s->from[shape->hop[h].dst]++;
	}
	for (size_t p = 0; p < s->n; p++)
		s->from[p + 1] += s->from[p];
	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];

		put_hop(s, hop->src, hop->dst, hop, false);
		put_hop(s, hop->dst, hop->src, hop, !symmetric);
	}
	drop_doubles(s);
}

static double mean_cell(const double *c, size_t n)
{
	double sum = 0;

	for (size_t i = 0; c && i < n * n; i++)
		sum += c[i] / (double)(n * n);
	return sum;
}

/* Of each round, its dearest hop between hosts that are usual apart. */
static void fill_usual(struct pl_smooth *s)
{
	const double c = mean_cell(s->costs.c, s->costs.n);
	const double per_byte = mean_cell(s->costs.per_byte, s->costs.n);

	s->plain = !s->costs.per_byte;
	for (size_t h = 0; h < s->shape->n_hops; h++) {
		const struct pl_hop *hop = &s->shape->hop[h];
		const double x = hop->times * (c + hop->bytes * per_byte);

		s->usual[hop->group] = fmax(s->usual[hop->group], x);
		s->plain = s->plain && hop->times == 1;
	}
}

int pl_smooth_init(struct pl_smooth *s, const struct pl_shape *shape, const struct pl_costs *costs,
		   struct pl_err *err)
{
	const size_t n = shape->n_pos, n_groups = shape->n_groups;

	*s = (struct pl_smooth){.shape = shape, .costs = *costs, .n = n};
	s->true_cost = pl_objective_create(shape, costs, err);
	if (!s->true_cost)
		return -1;
	s->hop = pl_array_create(shape->n_hops, 2 * sizeof(*s->hop));
	s->from = pl_array_create(n + 1, sizeof(*s->from));
	s->usual = pl_array_create(n_groups, sizeof(*s->usual));
	s->zero = pl_array_create(n_groups, sizeof(*s->zero));
	s->scale = pl_array_create(n_groups, sizeof(*s->scale));
	s->weight = pl_array_create(n_groups, sizeof(*s->weight));
	s->round = pl_array_create(n_groups, sizeof(*s->round));
	s->at = pl_array_create(n, sizeof(*s->at));
	s->best = pl_array_create(n, sizeof(*s->best));
	if (!s->hop || !s->from || !s->usual || !s->zero || !s->scale || !s->weight || !s->round ||
	    !s->at || !s->best) {
		pl_smooth_fini(s);
		return pl_err_nomem(err);
	}
	list_hops(s, pl_costs_symmetric(costs->c, n) && pl_costs_symmetric(costs->per_byte, n));
	fill_usual(s);
	return 0;
}

void pl_smooth_fini(struct pl_smooth *s)
{
	pl_objective_destroy(s->true_cost);
	free(s->hop);
	free(s->from);
	free(s->usual);
	free(s->zero);
	free(s->scale);
	free(s->weight);
	free(s->round);
	free(s->at);
	free(s->best);
	memset(s, 0, sizeof(*s));
}

static int by_dearest(const void *a, const void *b)
{
	const struct pl_smooth_round *x = a, *y = b;

	if (x->usual != y->usual)
		return x->usual < y->usual ? -1 : 1;
	if (x->dearest != y->dearest)
		return x->dearest < y->dearest ? -1 : 1;
	return compare(x->group, y->group);
}

/* The rounds as they are now. */
static void look_at_rounds(struct pl_smooth *s)
{
	const size_t n = s->shape->n_groups;

	for (size_t g = 0; g < n; g++)
		s->round[g] = (struct pl_smooth_round){s->usual[g], INFINITY, 0, (uint32_t)g};
	for (size_t p = 0; p < s->n; p++)
		for (size_t i = s->from[p]; i < s->from[p + 1]; i++) {
			struct pl_smooth_round *r = &s->round[s->hop[i].group];
			const double x = pl_smooth_hop_cost(s, &s->hop[i], s->at[p]);

			r->cheapest = fmin(r->cheapest, x);
			r->dearest = fmax(r->dearest, x);
		}
	if (n > 0)
		qsort(s->round, n, sizeof(*s->round), by_dearest);
}

/* The first round behind @first that is not taken as one with it. */
static size_t alike_end(const struct pl_smooth *s, size_t first, bool level)
{
	const struct pl_smooth_round *round = s->round;
	size_t end = first + 1;

	while (level && end < s->shape->n_groups && round[end].usual == round[first].usual &&
	       round[end].dearest <= ALIKE * round[end - 1].dearest)
		end++;
	return end;
}

/* Gives rounds their means; the spread that they get. */
static double scale_rounds(struct pl_smooth *s, size_t first, size_t end)
{
	const double n = (double)(end - first);
	double dearest = 0, zero = 0, spread;

	for (size_t i = first; i < end; i++) {
		dearest += s->round[i].dearest / n;
		zero += fmin(s->round[i].cheapest, s->round[i].dearest) / n;
	}
	zero = fmin(zero, (1 - SPREAD_MIN) * dearest);
	spread = dearest - zero;
	for (size_t i = first; i < end; i++) {
		s->zero[s->round[i].group] = zero;
		s->scale[s->round[i].group] = spread > 0 ? 1 / spread : 0;
		s->weight[s->round[i].group] = spread;
	}
	return spread;
}

/* @unit: the weight that counts 1, the largest one where that is 0. */
static void set_scales(struct pl_smooth *s, bool level, double *unit)
{
	const size_t n = s->shape->n_groups;
	double largest = 0;
	size_t end;

	look_at_rounds(s);
	for (size_t first = 0; first < n; first = end) {
		end = alike_end(s, first, level);
		largest = fmax(largest, scale_rounds(s, first, end));
	}
	if (*unit <= 0)
		*unit = largest;
	for (size_t g = 0; *unit > 0 && g < n; g++)
		s->weight[g] /= *unit;
}

static void save(struct pl_smooth *s)
{
	const double cost = pl_objective_full(s->true_cost, s->at);

	if (cost >= s->best_cost)
		return;
	s->best_cost = cost;
	memcpy(s->best, s->at, s->n * sizeof(*s->best));
}

uint64_t pl_smooth_run(struct pl_smooth *s, const struct pl_smooth_job *job, struct pl_rng *rng)
{
	const uint64_t look = MOVES_PER_LOOK * s->n;
	struct pl_smooth_moves moves;
	uint64_t done = 0;
	double unit = 0;

	memcpy(s->at, job->start, s->n * sizeof(*s->at));
	s->best_cost = INFINITY;
	save(s);
	if (job->end - job->first < 2)
		return 0;
	s->doublings = job->fine ? POWER_DOUBLINGS_FINE : POWER_DOUBLINGS;
	set_scales(s, job->level, &unit);
	pl_smooth_moves_init(&moves, s, job);
	while (done < job->moves && !job->stop(job->arg)) {
		const double left = 1 - (double)done / (double)job->moves;
		const double heat = job->heat * left * left;
		const uint64_t end = job->moves - done < look ? job->moves : done + look;

		for (; done < end; done++)
			pl_smooth_move(s, &moves, heat, rng);
		save(s);
		if (job->fine) {
			set_scales(s, job->level, &unit);
			pl_smooth_moves_adapt(&moves);
		}
	}
	return done;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes.c - the hops of a job's kinds */
#include "config.h"

#include "order/job/parts.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/job/calls.h"
#include "order/job/groups.h"

#include <stdlib.h>
#include <string.h>

/* What is being added. */
struct adding {
	struct pl_job_cost *c;
	const struct pl_job_kind *kind;
	struct pl_job_seated groups;
	struct pl_order_algorithm what; /* of a collective */
	/* of a collective: the last call, and its factor */
	struct pl_call call;
	double factor;
};

static int add_term(struct pl_job_cost *c, size_t kind, double weight)
{
	void *array = c->term;

	if (pl_array_grow(&array, &c->terms_room, c->n_terms, sizeof(*c->term)))
		return -1;
	c->term = array;
	c->term[c->n_terms++] =
		(struct pl_job_term){.kind = kind, .weight = weight, .first = c->n_groups};
	return 0;
}

/* Appends a group to the last term: a shape, which is released, over the positions
 * seat[shape->n_pos]. */
static int add_group(struct pl_job_cost *c, struct pl_shape *shape, const size_t *seat,
		     double factor, struct pl_err *err)
{
	struct pl_job_group group = {.n_pos = shape->n_pos, .factor = factor};
	void *array = c->group;
	int lost;

	group.objective = pl_objective_create(shape, &c->o.costs, err);
	lost = pl_job_outline_find(&group.outline, shape, seat);
	pl_shape_fini(shape);
	if (!group.objective)
		return -1;
	group.seat = pl_array_create(group.n_pos, sizeof(*group.seat));
	if (lost || !group.seat ||
	    pl_array_grow(&array, &c->groups_room, c->n_groups, sizeof(*c->group))) {
		pl_objective_destroy(group.objective);
		free(group.seat);
		return pl_err_nomem(err);
	}
	memcpy(group.seat, seat, group.n_pos * sizeof(*seat));
	c->group = array;
	c->group[c->n_groups++] = group;
	c->term[c->n_terms - 1].n++;
	return 0;
}

static void multiply_bytes(struct pl_shape *shape, size_t times)
{
	for (size_t h = 0; h < shape->n_hops; h++)
		shape->hop[h].bytes *= (double)times;
}

static int add_collective_group(struct adding *a, const size_t *seat, size_t n, struct pl_err *err)
{
	struct pl_call call = pl_job_call(a->kind, &a->what, seat, n);
	struct pl_shape shape;

	if (pl_call_check(&call, err))
		return -1;
	if (call.n_pos != a->call.n_pos || call.slots != a->call.slots) {
		if (pl_job_factor(a->what.a, &call, &a->c->o.costs, &a->factor, err))
			return -1;
		a->call = call;
	}
	if (pl_algorithm_shape(a->what.a, &call, &shape, err))
		return -1;
	multiply_bytes(&shape, a->groups.share);
	return add_group(a->c, &shape, seat, a->factor, err);
}

static int add_collective(struct adding *a, struct pl_err *err)
{
	const struct pl_job_seated *g = &a->groups;

	if (pl_job_find_algorithm(&a->what, a->c->o.job, a->kind, a->c->o.library, err))
		return -1;
	for (size_t i = 0; i < g->n; i++)
		if (add_collective_group(a, g->seat + g->first[i], g->first[i + 1] - g->first[i],
					 err))
			return -1;
	return 0;
}

/* Appends @len hops, each to the stage that is @step further on, round and round. */
static int add_path(struct pl_shape *shape, struct pl_hop hop, size_t from, size_t len, size_t step,
		    struct pl_err *err)
{
	for (; len > 0; len--, from = hop.dst) {
		hop.src = (uint32_t)from;
		hop.dst = (uint32_t)((from + step) % shape->n_pos);
		if (pl_shape_add(shape, hop, err))
			return -1;
	}
	return 0;
}

/* What fills and drains a pipeline: all hops, there and back. */
static int add_ends(struct adding *a, struct pl_hop hop, const size_t *seat, size_t n,
		    struct pl_err *err)
{
	struct pl_shape shape = {.kind = PL_SUM, .n_pos = n};

	for (size_t i = 0; i + 1 < n; i++)
		if (add_path(&shape, hop, i, 1, 1, err) ||
		    add_path(&shape, hop, i + 1, 1, n - 1, err))
			return -1;
	return add_group(a->c, &shape, seat, 1, err);
}

/* What a further microbatch takes: a stage's exchanges with both neighbours, one after the other;
 * those of the dearest stage. If stages have several parts, the last one and the first are
 * neighbours, too. */
static int add_steady(struct adding *a, struct pl_hop hop, const size_t *seat, size_t n,
		      struct pl_err *err)
{
	struct pl_shape shape = {.kind = PL_LONGEST_PATH, .n_pos = n};
	const bool ring = a->kind->vpp > 1;
	const size_t len = n > 2 ? 2 : 1;
	const size_t n_paths = ring && n > 2 ? n : n - len;

	if (ring && n == 2)
		hop.times *= 2; /* one stage is both neighbours */
	for (size_t i = 0; i < n_paths; i++) {
		if (add_path(&shape, hop, i, len, 1, err))
			return -1;
		hop.group++;
		if (add_path(&shape, hop, (i + len) % n, len, n - 1, err))
			return -1;
		hop.group++;
	}
	return add_group(a->c, &shape, seat, 1, err);
}

/* Adds that of each group. */
static int add_stages(struct adding *a,
		      int (*add)(struct adding *a, struct pl_hop hop, const size_t *seat, size_t n,
				 struct pl_err *err),
		      struct pl_err *err)
{
	const struct pl_job_seated *g = &a->groups;
	const struct pl_hop hop = {.times = 1, .bytes = (double)a->kind->bytes * (double)g->share};

	for (size_t i = 0; i < g->n; i++)
		if (add(a, hop, g->seat + g->first[i], g->first[i + 1] - g->first[i], err))
			return -1;
	return 0;
}

static int add_pipeline(struct adding *a, size_t k, double weight, struct pl_err *err)
{
	const uint64_t more = a->kind->microbatches * a->kind->vpp - 1;

	if (add_stages(a, add_ends, err))
		return -1;
	if (more == 0)
		return 0;
	if (add_term(a->c, k, weight * (double)more))
		return pl_err_nomem(err);
	return add_stages(a, add_steady, err);
}

/* A message between seats. */
static int by_seats(const void *x, const void *y)
{
	const struct pl_hop *a = x, *b = y;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return 0;
}

/* Joins the hops between the same seats: bytes becomes that of a message. */
static void join(struct pl_shape *shape)
{
	size_t n = 0;

	if (shape->n_hops)
		qsort(shape->hop, shape->n_hops, sizeof(*shape->hop), by_seats);
	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop hop = shape->hop[h];

		if (n > 0 && by_seats(&shape->hop[n - 1], &hop) == 0) {
			shape->hop[n - 1].times += hop.times;
			shape->hop[n - 1].bytes += hop.bytes;
		} else {
			shape->hop[n++] = hop;
		}
	}
	shape->n_hops = n;
	for (size_t h = 0; h < n; h++)
		shape->hop[h].bytes /= shape->hop[h].times;
}

static int add_traffic(struct adding *a, struct pl_err *err)
{
	const struct pl_job_seats *seats = &a->c->o.seats;
	struct pl_shape shape = {.kind = PL_SUM, .n_pos = seats->n};
	size_t *seat = pl_array_create(seats->n, sizeof(*seat));
	int rc = seat ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < a->kind->n_sends; i++) {
		const struct pl_job_send *send = &a->kind->send[i];
		const struct pl_hop hop = {.src = (uint32_t)seats->seat_of[send->src],
					   .dst = (uint32_t)seats->seat_of[send->dst],
					   .times = (double)send->messages,
					   .bytes = (double)send->bytes};

		if (hop.src != hop.dst)
			rc = pl_shape_add(&shape, hop, err);
	}
	for (size_t s = 0; rc == 0 && s < seats->n; s++)
		seat[s] = s;
	if (rc == 0) {
		join(&shape);
		rc = add_group(a->c, &shape, seat, 1, err);
	}
	free(seat);
	return rc;
}

static int add(struct adding *a, size_t k, struct pl_err *err)
{
	const struct pl_job *job = a->c->o.job;
	const size_t cards = job->cards ? job->cards : 1;
	double weight = a->kind->calls * a->kind->exposed;

	if (a->c->o.scale)
		weight *= a->c->o.scale[k];
	if (pl_job_has_sends(a->kind))
		weight /= (double)(a->c->o.seats.n * cards);
	if (add_term(a->c, k, weight))
		return pl_err_nomem(err);
	if (pl_job_has_sends(a->kind))
		return add_traffic(a, err);
	if (pl_job_seated_init(&a->groups, a->kind, &a->c->o.seats, cards))
		return pl_err_nomem(err);
	return a->kind->form == PL_JOB_PIPELINE ? add_pipeline(a, k, weight, err)
						: add_collective(a, err);
}

int pl_job_cost_add_kind(struct pl_job_cost *c, size_t k, struct pl_err *err)
{
	struct adding a = {.c = c, .kind = &c->o.job->kind[k]};
	struct pl_err why = {0};
	int rc = add(&a, k, &why);

	pl_job_seated_fini(&a.groups);
	if (rc == 0)
		return 0;
	if (why.code == PL_ESYSTEM)
		return pl_err_set(err, why.code, "%s", why.text);
	return pl_err_at(
		err,
		(struct pl_place){.file = c->o.job->file, .line = a.kind->line, .col = a.kind->col},
		"kind \"%.64s\": %s", a.kind->name, why.text);
}

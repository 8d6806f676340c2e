/* SPDX-License-Identifier: BSD-3-Clause */
/* objective-create.c - an objective from a shape and costs */
#include "config.h"

#include "costmodels/objective/parts.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <assert.h>
#include <stdlib.h>

static bool is_plain(const struct pl_objective *o)
{
	if (o->costs.per_byte)
		return false;
	for (size_t h = 0; h < o->n_hops; h++)
		if (o->hop[h].times != 1)
			return false;
	return true;
}

/* What all hops have is in one place, not in as many as there are hops. */
static void find_alike(struct pl_objective *o)
{
	o->alike = o->n_hops > 0;
	for (size_t h = 0; h < o->n_hops; h++)
		o->alike &=
			o->hop[h].times == o->hop[0].times && o->hop[h].bytes == o->hop[0].bytes;
	if (o->alike) {
		o->times = o->hop[0].times;
		o->bytes = o->hop[0].bytes;
	}
}

/* The incident lists, by counting. A hop to itself leaves, and does not
 * enter. */
static int list_incidents(struct pl_objective *o)
{
	size_t *from = pl_array_create(2 * o->n_pos + 2, sizeof(*from));

	o->incident_from = from;
	o->incident = pl_array_create(o->n_hops, 2 * sizeof(*o->incident));
	if (!from || !o->incident)
		return -1;
	for (size_t h = 0; h < o->n_hops; h++) {
		from[2 * (size_t)o->hop[h].src + 1]++;
		if (o->hop[h].src != o->hop[h].dst)
			from[2 * (size_t)o->hop[h].dst + 2]++;
	}
	/* ends of the lists; filling them backwards makes beginnings of
	 * these */
	for (size_t i = 1; i <= 2 * o->n_pos; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < 2 * o->n_pos; i++)
		from[i] = from[i + 1];
	for (size_t h = o->n_hops; h-- > 0;) {
		const uint32_t src = o->hop[h].src, dst = o->hop[h].dst;

		o->incident[--from[2 * (size_t)src]] = (struct pl_incident){(uint32_t)h, dst};
		if (src != dst)
			o->incident[--from[2 * (size_t)dst + 1]] =
				(struct pl_incident){(uint32_t)h, src};
	}
	return 0;
}

static size_t largest_degree(const struct pl_objective *o)
{
	size_t largest = 0;

	for (size_t p = 0; p < o->n_pos; p++) {
		const size_t *from = o->incident_from + 2 * p;

		if (from[2] - from[0] > largest)
			largest = from[2] - from[0];
	}
	return largest;
}

static int copy_hops(struct pl_objective *o, const struct pl_shape *shape)
{
	assert(shape->n_hops < UINT32_MAX / 2 && shape->n_pos < UINT32_MAX / 2);
	o->hop = pl_array_create(shape->n_hops, sizeof(*o->hop));
	if (!o->hop)
		return -1;
	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];

		assert(hop->src < shape->n_pos && hop->dst < shape->n_pos);
		o->hop[h] = (struct pl_own_hop){.src = hop->src,
						.dst = hop->dst,
						.group = hop->group,
						.times = hop->times,
						.bytes = hop->bytes};
	}
	return 0;
}

static int allocate(struct pl_objective *o)
{
	if (list_incidents(o))
		return -1;
	o->at = pl_array_create(o->n_pos, sizeof(*o->at));
	o->cost = pl_array_create(o->n_hops, sizeof(*o->cost));
	o->old = pl_array_create(o->n_hops, sizeof(*o->old));
	o->fresh = pl_array_create(largest_degree(o), 2 * sizeof(*o->fresh));
	return o->at && o->cost && o->old && o->fresh ? 0 : -1;
}

struct pl_objective *pl_objective_create(const struct pl_shape *shape, const struct pl_costs *costs,
					 struct pl_err *err)
{
	struct pl_objective *o = pl_array_create(1, sizeof(*o));

	if (!o) {
		pl_err_nomem(err);
		return NULL;
	}
	o->kind = shape->kind;
	o->costs = *costs;
	o->n_pos = shape->n_pos;
	o->n_hops = shape->n_hops;
	if (copy_hops(o, shape)) {
		pl_err_nomem(err);
		goto fail;
	}
	if (pl_bins_build(o, err))
		goto fail;
	if (allocate(o)) {
		pl_err_nomem(err);
		goto fail;
	}
	o->plain = is_plain(o);
	find_alike(o);
	o->symmetric = costs->symmetric || (pl_costs_symmetric(costs->c, costs->n) &&
					    pl_costs_symmetric(costs->per_byte, costs->n));
	pl_objective_set(o, o->at);
	return o;
fail:
	pl_objective_destroy(o);
	return NULL;
}

void pl_objective_destroy(struct pl_objective *o)
{
	if (!o)
		return;
	free(o->hop);
	free(o->bin);
	free(o->bin_start);
	free(o->node);
	free(o->below);
	free(o->above);
	free(o->downward);
	free(o->root);
	free(o->incident);
	free(o->incident_from);
	free(o->at);
	free(o->cost);
	free(o->old);
	free(o->fresh);
	free(o->longest);
	free(o);
}

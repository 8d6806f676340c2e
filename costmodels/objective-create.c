/* SPDX-License-Identifier: BSD-3-Clause */
/* objective-create.c - an objective from a shape and costs */
#include "config.h"

#include "costmodels/objective-parts.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <assert.h>
#include <stdlib.h>

#define NO_HOP UINT32_MAX

/* ---- hops sorted by the maximum they compete in; forests checked and linked */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint32_t parent(const struct pl_own_hop *hop)
{
	return hop->upward ? hop->dst : hop->src;
}

static uint32_t child(const struct pl_own_hop *hop)
{
	return hop->upward ? hop->src : hop->dst;
}

static int by_group(const void *a, const void *b)
{
	const struct pl_own_hop *x = a, *y = b;
	int order = compare(x->group, y->group);

	if (order == 0)
		order = compare(parent(x), parent(y));
	return order ? order : compare(child(x), child(y));
}

static bool same_bin(const struct pl_objective *o, size_t h, size_t g)
{
	const struct pl_own_hop *x = &o->hop[h], *y = &o->hop[g];

	if (o->kind == PL_LONGEST_PATH)
		return x->group == y->group && parent(x) == parent(y);
	return o->kind != PL_SUM_OF_MAXIMA || x->group == y->group;
}

static void cut_bins(struct pl_objective *o)
{
	o->n_bins = 0;
	for (size_t h = 0; h < o->n_hops; h++) {
		if (h == 0 || !same_bin(o, h - 1, h))
			o->bin_start[o->n_bins++] = h;
		o->bin[h] = (uint32_t)(o->n_bins - 1);
	}
	o->bin_start[o->n_bins] = o->n_hops;
}

static size_t group_end(const struct pl_objective *o, size_t first)
{
	size_t end = first + 1;

	while (end < o->n_hops && o->hop[end].group == o->hop[first].group)
		end++;
	return end;
}

/* Hops sorted by group: those of a group in which a position is entered twice lead upward. */
static int find_directions(struct pl_objective *o)
{
	size_t *entered = pl_array_create(o->n_pos, sizeof(*entered)), end;

	if (!entered)
		return -1;
	for (size_t first = 0; first < o->n_hops; first = end) {
		bool upward = false;

		end = group_end(o, first);
		for (size_t h = first; h < end; h++) {
			upward |= entered[o->hop[h].dst] == end;
			entered[o->hop[h].dst] = end;
		}
		for (size_t h = first; h < end; h++)
			o->hop[h].upward = upward;
	}
	free(entered);
	return 0;
}

/* By position, for the group being linked; NO_HOP, PL_NO_BIN in between. */
struct linking {
	uint32_t *into, *bin;
};

static int refuse(const struct pl_own_hop *hop, const char *why, struct pl_err *err)
{
	return pl_err_set(err, PL_EUSAGE, "the hops of group %u are not a forest: position %u %s",
			  (unsigned)hop->group, (unsigned)child(hop), why);
}

/* From the roots down; whoever is not met then is on a ring. */
static size_t order_downward(struct pl_objective *o, size_t done, size_t first)
{
	size_t look = done;

	for (size_t r = first; r < o->n_roots; r++)
		o->downward[done++] = o->root[r];
	for (; look < done; look++) {
		const size_t b = o->downward[look];

		for (size_t h = o->bin_start[b]; h < o->bin_start[b + 1]; h++)
			if (o->below[h] != PL_NO_BIN)
				o->downward[done++] = o->below[h];
	}
	return done;
}

/* Links the hops first .. end - 1, which are a group's. */
static int link_group(struct pl_objective *o, const struct linking *by_pos, size_t first,
		      size_t end, struct pl_err *err)
{
	const size_t first_bin = o->bin[first], first_root = o->n_roots;
	const size_t end_bin = o->bin[end - 1] + 1;

	for (size_t h = first; h < end; h++) {
		if (by_pos->into[child(&o->hop[h])] != NO_HOP)
			return refuse(&o->hop[h], "has two parents", err);
		by_pos->into[child(&o->hop[h])] = (uint32_t)h;
		by_pos->bin[parent(&o->hop[h])] = o->bin[h];
	}
	for (size_t h = first; h < end; h++)
		o->below[h] = by_pos->bin[child(&o->hop[h])];
	for (size_t b = first_bin; b < end_bin; b++) {
		const uint32_t up = by_pos->into[parent(&o->hop[o->bin_start[b]])];

		o->above[b] = up;
		if (up != NO_HOP)
			continue;
		o->above[b] = (uint32_t)(o->n_hops + o->n_roots);
		o->root[o->n_roots++] = (uint32_t)b;
	}
	if (order_downward(o, first_bin, first_root) != end_bin)
		return refuse(&o->hop[first], "or another position is on a ring", err);
	for (size_t h = first; h < end; h++) {
		by_pos->into[child(&o->hop[h])] = NO_HOP;
		by_pos->bin[parent(&o->hop[h])] = PL_NO_BIN;
	}
	return 0;
}

static int link_groups(struct pl_objective *o, const struct linking *by_pos, struct pl_err *err)
{
	size_t end;

	for (size_t first = 0; first < o->n_hops; first = end) {
		end = group_end(o, first);
		if (link_group(o, by_pos, first, end, err))
			return -1;
	}
	o->n_bins++; /* that of the roots */
	o->bin_start[o->n_bins] = o->n_hops + o->n_roots;
	return 0;
}

static int link_forests(struct pl_objective *o, struct pl_err *err)
{
	struct linking by_pos = {
		.into = pl_array_create(o->n_pos, sizeof(uint32_t)),
		.bin = pl_array_create(o->n_pos, sizeof(uint32_t)),
	};
	int rc;

	for (size_t p = 0; by_pos.into && by_pos.bin && p < o->n_pos; p++) {
		by_pos.into[p] = NO_HOP;
		by_pos.bin[p] = PL_NO_BIN;
	}
	o->below = pl_array_create(o->n_hops, sizeof(*o->below));
	o->above = pl_array_create(o->n_bins, sizeof(*o->above));
	o->downward = pl_array_create(o->n_bins, sizeof(*o->downward));
	o->root = pl_array_create(o->n_bins, sizeof(*o->root));
	if (by_pos.into && by_pos.bin && o->below && o->above && o->downward && o->root)
		rc = link_groups(o, &by_pos, err);
	else
		rc = pl_err_nomem(err);
	free(by_pos.into);
	free(by_pos.bin);
	return rc;
}

static int build_bins(struct pl_objective *o, struct pl_err *err)
{
	o->bin = pl_array_create(o->n_hops, sizeof(*o->bin));
	o->bin_start = pl_array_create(o->n_hops + 2, sizeof(*o->bin_start));
	if (!o->bin || !o->bin_start)
		return pl_err_nomem(err);
	qsort(o->hop, o->n_hops, sizeof(*o->hop), by_group);
	if (o->kind == PL_LONGEST_PATH) {
		if (find_directions(o))
			return pl_err_nomem(err);
		qsort(o->hop, o->n_hops, sizeof(*o->hop), by_group);
	}
	cut_bins(o);
	if (o->kind == PL_LONGEST_PATH && link_forests(o, err))
		return -1;
	o->node = pl_array_create(o->n_hops + o->n_roots, 2 * sizeof(*o->node));
	o->longest = pl_array_create(o->n_bins, sizeof(*o->longest));
	return o->node && o->longest ? 0 : pl_err_nomem(err);
}

/* ---- the objective */

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
	if (build_bins(o, err))
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
	pl_norms_destroy(o->norms);
	free(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c - which hops of a collective its cost depends on */
#include "config.h"

#include "costmodels/shape.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_shape_fini(struct pl_shape *shape)
{
	free(shape->hop);
	memset(shape, 0, sizeof(*shape));
}

int pl_shape_add(struct pl_shape *shape, struct pl_hop hop, struct pl_err *err)
{
	void *array = shape->hop;

	if (pl_array_grow(&array, &shape->hops_room, shape->n_hops, sizeof(hop))) {
		pl_shape_fini(shape);
		return pl_err_nomem(err);
	}
	shape->hop = array;
	shape->hop[shape->n_hops++] = hop;
	if (hop.group >= shape->n_groups)
		shape->n_groups = (size_t)hop.group + 1;
	return 0;
}

void pl_shape_put(struct pl_shape *shape, struct pl_hop hop)
{
	shape->no_memory = shape->no_memory || pl_shape_add(shape, hop, NULL);
}

int pl_shape_add_ring(struct pl_shape *shape, size_t n, size_t step, struct pl_hop hop,
		      struct pl_err *err)
{
	for (size_t pos = 0; n > 1 && pos < n; pos++) {
		hop.src = (uint32_t)pos;
		hop.dst = (uint32_t)((pos + step) % n);
		if (pl_shape_add(shape, hop, err))
			return -1;
	}
	return 0;
}

int pl_shape_check_pairs(size_t n, struct pl_err *err)
{
	if (n <= 1 || n - 1 <= PL_PATTERN_MESSAGES_MAX / n)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "the pattern has more than %zu messages",
			  PL_PATTERN_MESSAGES_MAX);
}

int pl_shape_of_pairs(struct pl_shape *shape, size_t n, struct pl_hop hop, struct pl_err *err)
{
	shape->kind = PL_SUM_OF_MAXIMA;
	if (pl_shape_check_pairs(n, err))
		return -1;
	for (size_t i = 0; i < n * n; i++) {
		hop.src = (uint32_t)(i / n);
		hop.dst = (uint32_t)(i % n);
		if (hop.src != hop.dst)
			pl_shape_put(shape, hop);
	}
	return 0;
}

/* The positions of a group that begins with hop @i and has no two hops of the same pair; its hops
 * are *len. 0: not all pairs, or not all alike. */
static size_t pairs_from(const struct pl_shape *shape, size_t i, size_t *len)
{
	const struct pl_hop *first = &shape->hop[i];
	size_t n = 0;

	for (*len = 0; i < shape->n_hops; i++, ++*len) {
		const struct pl_hop *hop = &shape->hop[i];

		if (hop->group != first->group)
			break;
		if (hop->times != first->times || hop->bytes != first->bytes)
			return 0;
		n += hop->src == first->src;
	}
	return *len == n * (n + 1) ? n + 1 : 0;
}

size_t pl_shape_all_pairs(const struct pl_shape *shape)
{
	size_t n = 0, len;

	for (size_t i = 0; i < shape->n_hops; i += len) {
		const size_t more = pairs_from(shape, i, &len);

		if (more == 0 || (n > 0 && more != n))
			return 0;
		n = more;
	}
	return n;
}

int pl_shape_of_rounds(struct pl_shape *shape, const struct pl_pattern *p, struct pl_err *err)
{
	memset(shape, 0, sizeof(*shape));
	shape->kind = PL_SUM_OF_MAXIMA;
	shape->n_pos = p->n_pos;
	shape->n_groups = p->n_rounds;
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct pl_message *m = &p->message[i];
		const struct pl_hop hop = {m->src, m->dst, m->round, 1, (double)m->bytes};

		if (pl_shape_add(shape, hop, err))
			return -1;
	}
	return 0;
}

void pl_shape_weigh(struct pl_shape *shape, double eager_bytes, double trips)
{
	for (size_t i = 0; i < shape->n_hops; i++) {
		struct pl_hop *hop = &shape->hop[i];

		if (hop->bytes <= eager_bytes)
			continue;
		hop->times *= trips;
		hop->bytes /= trips;
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - shapes that are a closed ring of equal hops, for the ring's
 * solvers */
#include "config.h"

#include "order/ring.h"

#include "base/mem.h"

#include <stdlib.h>

/* Does the ring's hop from block @src to block @dst of n fit to those seen so far? */
static bool takes_part(struct pl_order_ring *ring, const struct pl_hop *hop, size_t src, size_t dst,
		       size_t n)
{
	const bool next = dst == (src + 1) % n, last = src == (dst + 1) % n;

	if (ring->times == 0) { /* the first */
		ring->times = hop->times;
		ring->bytes = hop->bytes;
		ring->backwards = !next;
	}
	return hop->times == ring->times && hop->bytes == ring->bytes &&
	       (ring->backwards ? last : next);
}

bool pl_order_ring_find(const struct pl_shape *shape, size_t slots, struct pl_order_ring *ring)
{
	const size_t per = slots ? slots : 1, n = shape->n_pos / per;
	bool *seen = pl_array_create(n, sizeof(*seen));
	bool good = seen && shape->kind == PL_SUM && n * per == shape->n_pos;
	size_t n_hops = 0;

	*ring = (struct pl_order_ring){.times = 0};
	for (size_t i = 0; good && i < shape->n_hops; i++) {
		const struct pl_hop *hop = &shape->hop[i];
		const size_t src = hop->src / per, dst = hop->dst / per;

		if (src == dst)
			continue;
		good = takes_part(ring, hop, src, dst, n) && !seen[src];
		seen[src] = true;
		n_hops++;
	}
	free(seen);
	if (ring->times == 0)
		ring->times = 1;
	return good && n_hops == (n > 1 ? n : 0);
}

int pl_order_ring_costs(const struct pl_order_ring *ring, const struct pl_costs *costs,
			const double **c, double **own, struct pl_err *err)
{
	const size_t n = costs->n;

	*own = NULL;
	*c = costs->c;
	if (ring->times == 1 && !ring->backwards && (!costs->per_byte || ring->bytes == 0))
		return 0;
	*own = pl_array_create(n * n, sizeof(**own));
	if (!*own)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t at = ring->backwards ? j * n + i : i * n + j;
			const double per_byte = costs->per_byte ? costs->per_byte[at] : 0;

			(*own)[i * n + j] = ring->times * (costs->c[at] + ring->bytes * per_byte);
		}
	*c = *own;
	return 0;
}

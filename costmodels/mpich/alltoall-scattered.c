/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-scattered.c - all-to-all: with 32 ranks at once */
/*
 *   i --> i - 1, i - 2, ..., i - 31     posted together, then waited for
 *   i --> i - 32, ..., i - 63           next, and so on
 *
 * Each rank receives from those as far behind it. 32 is
 * MPIR_CVAR_ALLTOALL_THROTTLE; the first 32 include the rank itself. Up to 32
 * ranks all pairs are in one round, so that all orders of the ranks have the
 * same hops.
 *
 * Objective: for each round its dearest hop, with the blocks that a rank sends
 * in it.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"
#include "costmodels/mpich/mpich.h"

#define AT_ONCE 32

static size_t end_of(size_t from, size_t n)
{
	return from + AT_ONCE < n ? from + AT_ONCE : n;
}

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;

	pl_script_copy(r->s, r->bytes);
	for (size_t from = 0; from < n; from += AT_ONCE) {
		const size_t first = from ? from : 1, end = end_of(from, n);

		pl_script_round(r->s, (uint32_t)(from / AT_ONCE));
		for (size_t i = first; i < end; i++)
			pl_mpich_irecv(r, (r->rank + i) % n, r->bytes);
		for (size_t i = first; i < end; i++)
			pl_mpich_isend(r, (r->rank + n - i) % n, r->bytes);
		pl_script_wait_all(r->s);
	}
}

int pl_mpich_alltoall_scattered(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_alltoall(s, call, part, err);
}

/* A round's hops. */
static int add_round(struct pl_shape *shape, const struct pl_call *call, size_t from,
		     struct pl_err *err)
{
	const size_t n = call->n_pos, first = from ? from : 1;
	const size_t end = end_of(from, n);
	const double trips = call->bytes <= PL_MPICH_EAGER_BYTES ? 1 : PL_MPICH_TRIPS;
	const double blocks = (double)(end - first);
	const struct pl_hop hop = {.group = (uint32_t)(from / AT_ONCE),
				   .times = trips,
				   .bytes = blocks * (double)call->bytes / trips};

	for (size_t i = first; i < end; i++)
		if (pl_shape_add_ring(shape, n, n - i, hop, err))
			return -1;
	return 0;
}

int pl_mpich_alltoall_scattered_shape(struct pl_shape *shape, const struct pl_call *call,
				      struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (pl_mpich_check_count(call, err) || pl_shape_check_pairs(call->n_pos, err))
		return -1;
	for (size_t from = 0; call->bytes && from < call->n_pos; from += AT_ONCE)
		if (add_round(shape, call, from, err))
			return -1;
	return 0;
}

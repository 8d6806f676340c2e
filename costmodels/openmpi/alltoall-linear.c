/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-linear.c - all-to-all: every rank to all others at once */
/*
 *   i --> i - 1, i - 2, ...      all sends and receives posted, then waited for
 *
 * N (N - 1) messages of a block in one round. linear-sync does the same unless
 * coll_tuned_alltoall_algorithm_max_requests limits what is under way. All
 * orders of the ranks have the same hops.
 *
 * Objective: the dearest hop, with the N - 1 blocks that a rank sends.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_alltoall_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; n > 1 && call->bytes > 0 && rank < n && !pl_script_is_over(s);
	     rank++) {
		pl_script_rank(s, rank);
		pl_script_copy(s, call->bytes);
		for (size_t i = 1; i < n; i++)
			pl_script_irecv(s, (rank + i) % n, call->bytes);
		for (size_t i = 1; i < n; i++)
			pl_script_isend(s, (rank + n - i) % n, call->bytes);
		pl_script_wait_all(s);
	}
	return 0;
}

int pl_openmpi_alltoall_linear_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	const bool eager = call->bytes <= PL_OPENMPI_EAGER_BYTES;
	const double trips = eager ? 1 : PL_OPENMPI_TRIPS;
	const double blocks = (double)(call->n_pos - 1);

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (pl_openmpi_check_count(call, err) || pl_shape_check_pairs(call->n_pos, err))
		return -1;
	return pl_shape_add_pairs(
		shape, call->bytes ? call->n_pos : 0, 1,
		(struct pl_hop){.times = trips, .bytes = blocks * (double)call->bytes / trips},
		err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-alltoall.c - all-to-all: a send and a receive for every pair of ranks */
/*
 *   node 0 [0 1] --> nodes 1, 2, ...      the blocks of all its ranks
 *
 * ncclAlltoAll(), like the sends and receives of a group that PyTorch makes of
 * an all-to-all, becomes a task for each peer. The nodes of an order do not
 * change which node a block goes to: all orders have the same hops.
 *
 * What textbooks do not have: every channel runs 8 tasks at once, those of
 * peers at the distances 0, 1, 3, 6, 10, ..., and goes on to the next tasks
 * when these are done. Here all run at once, and what g ranks of a node send to
 * those of another is one message of g * g blocks.
 *
 * Mirrors: src/enqueue.cc (ncclAlltoAll to tasks, addP2pToPlan), src/init.cc
 * (ncclP2pSchedule).
 *
 * Objective: the dearest hop, with all that a node sends to the others.
 */
#include "config.h"

#include "costmodels/nccl/algorithms.h"
#include "costmodels/nccl/nccl-link.h"

/* The bytes from a node to another. */
static uint64_t bytes_of(const struct pl_call *call)
{
	return (uint64_t)call->slots * call->slots * call->bytes;
}

/* 0, or -1 with @err set (PL_EUSAGE). */
static int check(const struct pl_call *call, size_t *n_nodes, struct pl_err *err)
{
	if (pl_nccl_count_nodes(call, n_nodes, err))
		return -1;
	if (call->bytes > INT64_MAX / call->n_pos / call->slots)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu bytes from each of %zu ranks to each "
				  "are too many",
				  (unsigned long long)call->bytes, call->n_pos);
	return pl_shape_check_pairs(*n_nodes, err);
}

int pl_nccl_alltoall(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	size_t n;

	if (check(call, &n, err))
		return -1;
	for (size_t node = 0; n > 1 && call->bytes > 0 && node < n; node++) {
		pl_script_rank(s, pl_nccl_first_rank(call, node));
		for (size_t i = 1; i < n; i++)
			pl_script_irecv(s, pl_nccl_first_rank(call, (node + n - i) % n),
					bytes_of(call));
		for (size_t i = 1; i < n; i++)
			pl_script_isend(s, pl_nccl_first_rank(call, (node + i) % n),
					bytes_of(call));
		pl_script_wait_all(s);
	}
	return 0;
}

/* Hosts with different numbers of ranks count as if they had the mean. */
int pl_nccl_alltoall_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const double g = (double)pl_nccl_ranks(call) / (double)call->n_pos * (double)call->slots;
	size_t n;

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (check(call, &n, err))
		return -1;
	return pl_shape_add_pairs(
		shape, call->bytes ? n : 0, call->slots,
		(struct pl_hop){.times = 1, .bytes = (double)(n - 1) * g * g * (double)call->bytes},
		err);
}

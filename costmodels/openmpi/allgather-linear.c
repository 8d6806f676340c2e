/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-linear.c - all-gather: a gather to rank 0, then a broadcast */
/*
 *   0 1 2 3 --gather--> 0 --broadcast--> 0 1 2 3
 *
 * Called linear, but both as the fixed rules decide: the gather linear,
 * binomial (each rank sends what it has of its subtree in one message,
 * trees.h's in-order binomial tree), or linear-sync: the root asks one rank
 * after the other with an empty message, gets its block, and an empty second
 * part behind it, which it waits for only at the end. Cost: the sum of the two.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/trees.h"

#include <limits.h>
#include <string.h>

/* The fixed rules for a gather, by the bytes of a block. */
static const struct pl_openmpi_rule rules[] = {
	{4, 2, "linear-sync"},
	{4, 4, "linear"},
	{4, 32768, "binomial"},
	{4, 65536, "linear"},
	{4, 131072, "binomial"},
	{4, UINT64_MAX, "linear-sync"},
	{8, 1024, "binomial"},
	{8, 8192, "linear"},
	{8, 32768, "binomial"},
	{8, 262144, "linear"},
	{8, UINT64_MAX, "linear-sync"},
	{256, UINT64_MAX, "binomial"},
	{512, 2048, "binomial"},
	{512, 8192, "linear"},
	{SIZE_MAX, UINT64_MAX, "binomial"},
};

static void gather_linear(struct pl_script *s, const struct pl_call *call, size_t rank)
{
	if (rank > 0) {
		pl_script_send(s, 0, call->bytes);
		return;
	}
	pl_script_copy(s, call->bytes);
	for (size_t src = 1; src < call->n_pos; src++)
		pl_script_recv(s, src, call->bytes);
}

/* Rounds: asking and answering, rank after rank. */
static void gather_sync(struct pl_script *s, const struct pl_call *call, size_t rank)
{
	for (size_t src = 1; rank == 0 && src < call->n_pos; src++) {
		const struct pl_request block = pl_script_irecv(s, src, call->bytes);

		pl_script_round(s, (uint32_t)(2 * (src - 1)));
		pl_script_send(s, src, 0);
		pl_script_irecv(s, src, 0);
		pl_script_wait(s, block);
	}
	if (rank > 0) {
		pl_script_recv(s, 0, 0);
		pl_script_round(s, (uint32_t)(2 * rank - 1));
		pl_script_send(s, 0, call->bytes);
		pl_script_send(s, 0, 0);
	} else {
		pl_script_copy(s, call->bytes);
		pl_script_wait_all(s);
	}
}

/* Bytes of the subtree of @rank, which is not 0. */
static uint64_t subtree_bytes(const struct pl_call *call, size_t rank)
{
	const size_t below = rank & (~rank + 1), rest = call->n_pos - rank;

	return (below < rest ? below : rest) * call->bytes;
}

static void gather_binomial(struct pl_script *s, const struct pl_call *call, size_t rank)
{
	const struct pl_openmpi_tree tree = {.kind = PL_OPENMPI_IN_ORDER_BINOMIAL,
					     .n = call->n_pos};
	const struct pl_openmpi_node node = pl_openmpi_node(&tree, rank);

	if (rank % 2 == 0)
		pl_script_copy(s, call->bytes);
	for (size_t i = 0; i < node.n_children; i++) {
		const size_t child = pl_openmpi_child(&node, i);

		pl_script_recv(s, child, subtree_bytes(call, child));
	}
	if (rank > 0) {
		pl_script_round(s, (uint32_t)__builtin_ctzll(rank));
		pl_script_send(s, node.parent, subtree_bytes(call, rank));
	}
}

/* The broadcast of all blocks. More elements than an int counts go by @n_pos
 * elements at a time. */
static struct pl_call second_part(const struct pl_call *call)
{
	struct pl_call all = *call;

	all.bytes = call->n_pos * call->bytes;
	if (all.bytes / all.element_bytes >= INT_MAX)
		all.element_bytes *= call->n_pos;
	return all;
}

/* A subtree's elements are counted in an int. */
static int check_binomial(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX / call->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements of each of %zu ranks are too many for "
			  "the binomial gather of Open MPI",
			  (unsigned long long)count, call->n_pos);
}

int pl_openmpi_gather(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const char *gather = pl_openmpi_rule(rules, call->n_pos, call->bytes);

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos < 2 || call->bytes == 0)
		return 0;
	if (strcmp(gather, "binomial") == 0 && check_binomial(call, err))
		return -1;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		if (strcmp(gather, "binomial") == 0)
			gather_binomial(s, call, rank);
		else if (strcmp(gather, "linear") == 0)
			gather_linear(s, call, rank);
		else
			gather_sync(s, call, rank);
	}
	return 0;
}

int pl_openmpi_allgather_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_call all = second_part(call);

	if (pl_openmpi_gather(s, call, err))
		return -1;
	if (call->n_pos < 2 || call->bytes == 0)
		return 0;
	return pl_openmpi_then(s, PL_BROADCAST, "default", &all, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-block-linear.c - equal blocks: a reduce, then a scatter from
 * rank 0 */
/*
 *   0 1 2 3 --reduce--> 0 --scatter--> 0 1 2 3
 *
 * Of MPI_Reduce_scatter_block. Both as the fixed rules decide: the reduce by
 * the bytes of all blocks, the scatter by those of one. A scatter is linear
 * (one blocking send after the other), linear without waiting, or down a
 * binomial tree, the largest subtree first. Cost: the sum of the two.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <string.h>

static const struct pl_openmpi_rule scatter_rules[] = {
	{4, 2, "linear-nb"},
	{4, 131072, "linear"},
	{4, 262144, "linear-nb"},
	{4, UINT64_MAX, "linear"},
	{8, 2048, "binomial"},
	{8, 4096, "linear"},
	{8, 8192, "binomial"},
	{8, 32768, "linear"},
	{8, 1048576, "linear-nb"},
	{8, UINT64_MAX, "linear"},
	{32, 16384, "binomial"},
	{16, 1048576, "linear-nb"},
	{16, UINT64_MAX, "linear"},
	{32, 32768, "linear"},
	{32, UINT64_MAX, "linear-nb"},
	{SIZE_MAX, 512, "binomial"},
	{64, 8192, "linear-nb"},
	{64, 16384, "binomial"},
	{SIZE_MAX, UINT64_MAX, "linear-nb"},
};

static void scatter_linear(struct pl_script *s, uint64_t block, bool waits)
{
	pl_script_rank(s, 0);
	pl_script_copy(s, block);
	for (size_t rank = 1; rank < s->n_pos; rank++)
		if (waits)
			pl_script_send(s, rank, block);
		else
			pl_script_isend(s, rank, block);
	for (size_t rank = 1; rank < s->n_pos; rank++) {
		pl_script_rank(s, rank);
		pl_script_recv(s, 0, block);
	}
}

/* The ranks below @rank in the tree, and itself. */
static size_t subtree(size_t rank, size_t n)
{
	const size_t full = rank & -rank; /* its lowest bit */

	return full < n - rank ? full : n - rank;
}

static uint32_t depth(size_t rank)
{
	uint32_t bits = 0;

	for (; rank > 0; rank &= rank - 1)
		bits++;
	return bits;
}

/* A rank's parent lacks its lowest bit; its children add one below that. */
static void scatter_binomial(struct pl_script *s, uint64_t block)
{
	const size_t n = s->n_pos;

	for (size_t rank = 0; rank < n; rank++) {
		size_t top = 1;

		while (rank > 0 ? top < (rank & -rank) : top < n)
			top *= 2;
		pl_script_rank(s, rank);
		if (rank > 0)
			pl_script_recv(s, rank & (rank - 1), subtree(rank, n) * block);
		if (rank % 2 == 0)
			pl_script_copy(s, block);
		pl_script_round(s, depth(rank));
		for (size_t bit = top / 2; bit > 0; bit /= 2)
			if (rank + bit < n)
				pl_script_send(s, rank + bit, subtree(rank + bit, n) * block);
	}
}

static int scatter(struct pl_script *s, uint64_t block, struct pl_err *err)
{
	const char *name = pl_openmpi_rule(scatter_rules, s->n_pos, block);
	struct pl_script next;

	if (pl_script_init(&next, s->n_pos, err))
		return -1;
	if (!strcmp(name, "binomial"))
		scatter_binomial(&next, block);
	else
		scatter_linear(&next, block, !strcmp(name, "linear"));
	pl_script_append(s, &next);
	pl_script_fini(&next);
	return 0;
}

int pl_openmpi_reduce_scatter_block_linear(struct pl_script *s, const struct pl_call *call,
					   struct pl_err *err)
{
	if (pl_openmpi_check_blocks(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (pl_openmpi_then(s, PL_REDUCE, "default", call, err))
		return -1;
	return scatter(s, call->bytes / call->n_pos, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-recursive-doubling.c - reduce-scatter: all but done blocks */
/*
 *   0 <-> 1   2 <-> 3     all blocks but the sender's own
 *   0 <-----> 2           all but those of 0 and 1, or of 2 and 3
 *       1 <-----> 3
 *
 * Cost: log2 N rounds of nearly whole buffers, for operations that do not
 * commute. Where N is no power of two, see doubling.c: what comes in is passed
 * on.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

/* The last group may have fewer ranks; one beyond the last rank gives nothing
 * that is asked for. */
static struct pl_range others(const struct pl_mpich_rank *r, size_t first, size_t size)
{
	const struct pl_blocks b = {r->bytes, r->element_bytes, r->n};

	if (first >= r->n)
		return (struct pl_range){.bytes = r->bytes};
	if (size > r->n - first)
		size = r->n - first;
	return (struct pl_range){.bytes = r->bytes - pl_block_range_bytes(&b, first, size)};
}

static void part(const struct pl_mpich_rank *r)
{
	const struct pl_mpich_doubling d = {.data = others, .reduces = true};

	pl_script_copy(r->s, r->bytes);
	pl_mpich_double_up(r, &d);
}

int pl_mpich_reduce_scatter_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					       struct pl_err *err)
{
	return pl_mpich_reduce_scatter(s, call, part, err);
}

int pl_mpich_reduce_scatter_block_recursive_doubling(struct pl_script *s,
						     const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_reduce_scatter_block(s, call, part, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-recursive-doubling.c - all-gather: blocks exchanged at distances 1,
 * 2, ... */
/*
 *   0 <-> 1   2 <-> 3     a block each
 *   0 <-----> 2           two blocks each
 *       1 <-----> 3
 *
 * Cost: log2 N rounds, of which each doubles what a rank has. Of other numbers
 * of ranks than powers of two the library takes what it takes by itself.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static struct pl_range group(const struct pl_mpich_rank *r, size_t first, size_t size)
{
	return (struct pl_range){first * r->bytes, size * r->bytes};
}

static void part(const struct pl_mpich_rank *r)
{
	const struct pl_mpich_doubling d = {.data = group};

	pl_script_copy(r->s, r->bytes);
	pl_mpich_double_up(r, &d);
}

int pl_mpich_allgather_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					  struct pl_err *err)
{
	struct pl_call decided;

	if (pl_mpich_power_of_two(call->n_pos))
		return pl_mpich_allgather(s, call, part, err);
	return pl_mpich_decide_allgather(call, &decided)->generate(s, call, err);
}

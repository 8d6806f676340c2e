/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-alltoall.c - all-to-all: what MPICH takes */
/*
 * By ranks and bytes of a block; always among all ranks. generic.json says
 * comm_size<8 where csel.c takes 8 ranks, too: its search has <= (only trees
 * that are pruned for a communicator, which end before this question, have <).
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#define FEW_RANKS 8
#define SHORT_BYTES 256
#define MEDIUM_BYTES 32768

int pl_mpich_alltoall(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		      struct pl_err *err)
{
	if (pl_mpich_check_count(call, err))
		return -1;
	return call->bytes ? pl_mpich_flat(s, call, part, err) : 0;
}

const struct pl_algorithm *pl_mpich_decide_alltoall(const struct pl_call *call,
						    struct pl_call *decided)
{
	const char *name = "scattered";

	(void)decided;
	if (call->n_pos > FEW_RANKS && call->bytes <= SHORT_BYTES)
		name = "brucks";
	if (call->bytes > MEDIUM_BYTES)
		name = "pairwise";
	return pl_catalogue_named(PL_ALLTOALL, PL_MPICH, name);
}

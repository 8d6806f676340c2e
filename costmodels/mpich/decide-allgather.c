/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-allgather.c - all-gather: what MPICH takes */
/* By the bytes of all blocks; always among all ranks. */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#include <limits.h>

#define LONG_BYTES 524288
#define BRUCK_BYTES 81920

int pl_mpich_check_gathered(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT_MAX / call->n_pos)
		return pl_mpich_check_count(call, err);
	return pl_err_set(err, PL_EUSAGE,
			  "%llu bytes of each of %zu ranks: MPICH 4.0 counts "
			  "them all in an int, %d at most",
			  (unsigned long long)call->bytes, call->n_pos, INT_MAX);
}

int pl_mpich_allgather(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err)
{
	if (pl_mpich_check_gathered(call, err))
		return -1;
	return call->bytes ? pl_mpich_flat(s, call, part, err) : 0;
}

const struct pl_algorithm *pl_mpich_decide_allgather(const struct pl_call *call,
						     struct pl_call *decided)
{
	const bool doubles = pl_mpich_power_of_two(call->n_pos);
	const uint64_t limit = doubles ? LONG_BYTES : BRUCK_BYTES;
	const char *name = doubles ? "recursive-doubling" : "brucks";

	(void)decided;
	/* not their product, which may be too large */
	if (call->bytes > (limit - 1) / call->n_pos)
		name = "ring";
	return pl_catalogue_named(PL_ALLGATHER, PL_MPICH, name);
}

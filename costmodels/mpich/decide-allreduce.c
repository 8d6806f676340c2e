/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-allreduce.c - all-reduce: what MPICH takes, and among which ranks */
/*
 *   host 0: 0 <-- 1   host 1: 2 <-- 3     reduced to the leaders
 *           0 <-----------> 2             the algorithm among these
 *           0 --> 1           2 --> 3     broadcast
 *
 * With one rank on each host, or all ranks on one, the algorithm runs among
 * all.
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#define SHORT_BYTES 8

/* Of an empty buffer MPICH's own choice is put together even on one host. */
static bool is_flat(const struct pl_call *call, pl_mpich_part *part)
{
	return !pl_mpich_is_parent(call) ||
	       (pl_mpich_hosts(call) == 1 &&
		(call->bytes > 0 || part == pl_mpich_allreduce_recursive_doubling_part));
}

int pl_mpich_allreduce(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err)
{
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = pl_mpich_reduce_part},
		{.level = PL_MPICH_LEADERS, .part = part, .in_place = true},
		{.level = PL_MPICH_HOST, .part = pl_mpich_broadcast_part},
	};

	if (pl_mpich_check_count(call, err))
		return -1;
	if (is_flat(call, part))
		return pl_mpich_flat(s, call, part, err);
	return pl_mpich_phases(s, call, phases, 3, err);
}

/* MPICH's limit for short messages, MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE, is not
 * what its selection tree asks for. */
const struct pl_algorithm *pl_mpich_decide_allreduce(const struct pl_call *call,
						     struct pl_call *decided)
{
	const size_t hosts = pl_mpich_hosts(call);
	const struct pl_fold fold =
		pl_fold(pl_mpich_is_parent(call) && hosts > 1 ? hosts : call->n_pos, 1);
	const bool doubling = call->bytes > 0 && (call->bytes <= SHORT_BYTES ||
						  call->bytes / call->element_bytes < fold.n);

	(void)decided;
	return pl_catalogue_named(PL_ALLREDUCE, PL_MPICH,
				  doubling ? "recursive-doubling" : "reduce-scatter-allgather");
}

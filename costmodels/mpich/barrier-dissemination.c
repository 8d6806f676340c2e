/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-dissemination.c - barrier: to the rank 1, 2, 4, ... further on */
/*
 *   0 --> 1 --> 2 --> 3 --> 4 --> 0     round 0
 *   0 --> 2 --> 4 --> 1 --> 3 --> 0     round 1
 *   0 --> 4 --> 3 --> 2 --> 1 --> 0     round 2
 *
 * Cost: log2 N rounds of empty messages, rounded up. Where hosts have several
 * ranks: in each host, then among the leaders, who then broadcast one byte in
 * their hosts.
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	uint32_t round = 0;

	for (size_t mask = 1; mask < r->n; mask *= 2) {
		pl_script_round(r->s, round++);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = (r->rank + mask) % r->n,
							  .src = (r->rank + r->n - mask) % r->n});
	}
}

static void release(const struct pl_mpich_rank *r)
{
	struct pl_mpich_rank byte = *r;

	byte.bytes = 1;
	pl_mpich_broadcast_part(&byte);
}

int pl_mpich_barrier_dissemination(struct pl_script *s, const struct pl_call *call,
				   struct pl_err *err)
{
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = part},
		{.level = PL_MPICH_LEADERS, .part = part},
		{.level = PL_MPICH_HOST, .part = release},
	};

	if (!pl_mpich_is_parent(call))
		return pl_mpich_flat(s, call, part, err);
	return pl_mpich_phases(s, call, phases, 3, err);
}

const struct pl_algorithm *pl_mpich_decide_barrier(const struct pl_call *call,
						   struct pl_call *decided)
{
	(void)call;
	(void)decided;
	return pl_catalogue_named(PL_BARRIER, PL_MPICH, "dissemination");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-pairwise.c - all-to-all: with one rank in each round */
/*
 *   i <-> i XOR 1, i <-> i XOR 2, ...            N is a power of two
 *   i --> i + 1, then i --> i + 2, ...           any other N
 *
 * Cost: N - 1 rounds of one block each.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;
	const bool pairs = pl_mpich_power_of_two(n);

	pl_script_copy(r->s, r->bytes);
	for (size_t i = 1; i < n; i++) {
		const size_t dst = pairs ? r->rank ^ i : (r->rank + i) % n;
		const size_t src = pairs ? dst : (r->rank + n - i) % n;

		pl_script_round(r->s, (uint32_t)i - 1);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = dst,
							  .src = src,
							  .send_bytes = r->bytes,
							  .recv_bytes = r->bytes});
	}
}

int pl_mpich_alltoall_pairwise(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_alltoall(s, call, part, err);
}

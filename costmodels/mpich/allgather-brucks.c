/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-brucks.c - all-gather: Bruck's, blocks from distances 1, 2, 4,
 * ... */
/*
 *   0 <-- 1 <-- 2 <-- 3 <-- 4 <-- 0     a block from the next rank
 *   0 <-- 2, 1 <-- 3, ...               two blocks from the one after it
 *   0 <-- 4, 1 <-- 0, ...               the rest
 *
 * Cost: log2 N rounds, rounded up, of which each doubles what a rank has.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;
	uint32_t round = 0;

	pl_script_copy(r->s, r->bytes);
	for (size_t has = 1; has < n; has *= 2) {
		const size_t more = has < n - has ? has : n - has;

		pl_script_round(r->s, round++);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = (r->rank + n - has) % n,
							  .src = (r->rank + has) % n,
							  .send_bytes = more * r->bytes,
							  .recv_bytes = more * r->bytes});
	}
	pl_script_copy(r->s, n * r->bytes);
}

int pl_mpich_allgather_brucks(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_mpich_allgather(s, call, part, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall-brucks.c - all-to-all: Bruck's, blocks to distances 1, 2, 4, ... */
/*
 *   i --> i + 1   the blocks for the ranks 1, 3, 5, ... further on
 *   i --> i + 2   those for 2, 3, 6, 7, ... further on
 *   i --> i + 4   those for 4 to 7, 12 to 15, ...
 *
 * Cost: log2 N rounds, rounded up, of about N / 2 blocks each.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

#include <limits.h>

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;
	uint32_t round = 0;

	pl_script_copy(r->s, n * r->bytes);
	for (size_t distance = 1; distance < n; distance *= 2) {
		const uint64_t bytes = pl_blocks_with_bit(n, distance) * r->bytes;

		pl_script_round(r->s, round++);
		pl_script_copy(r->s, bytes);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = (r->rank + distance) % n,
							  .src = (r->rank + n - distance) % n,
							  .send_bytes = bytes,
							  .recv_bytes = bytes});
	}
	pl_script_copy(r->s, 2 * n * r->bytes);
}

/* MPICH counts the elements before a block in an int. */
int pl_mpich_alltoall_brucks(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count > INT_MAX / call->n_pos)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu elements for each of %zu ranks: here "
				  "MPICH 4.0 counts them all in an int, %d at "
				  "most",
				  (unsigned long long)count, call->n_pos, INT_MAX);
	return pl_mpich_alltoall(s, call, part, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-bruck.c - all-gather in ceil(log2 N) rounds for any number of
 * ranks */
/*
 *   i <-- i + 1   its block
 *   i <-- i + 2   the 2 blocks it has by now
 *   i <-- i + 4   4 blocks, in the last round what is still lacking
 *
 * N (N - 1) blocks in all, ceil(log2 N) messages for each rank. A rank gathers
 * from itself on, and but for rank 0 all turn their result round at the end:
 * two blocks copied for one received. The textbooks send towards i + 2^k as
 * often as towards i - 2^k; Open MPI sends towards i - 2^k.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <limits.h>

static size_t blocks_at(size_t n, size_t distance)
{
	return distance <= n / 2 ? distance : n - distance;
}

static void run_rank(struct pl_script *s, const struct pl_call *call, size_t rank)
{
	const size_t n = call->n_pos;
	uint32_t round = 0;

	pl_script_copy(s, call->bytes);
	for (size_t distance = 1; distance < n; distance *= 2) {
		const uint64_t bytes = blocks_at(n, distance) * call->bytes;

		pl_script_round(s, round++);
		pl_script_sendrecv(s, (struct pl_exchange){
					      .dst = (rank + n - distance) % n,
					      .src = (rank + distance) % n,
					      .send_bytes = bytes,
					      .recv_bytes = bytes,
				      });
	}
	if (rank > 0)
		pl_script_copy(s, (n - rank + n) * call->bytes);
}

/* Open MPI counts the elements of a message of several blocks in an int. */
static int check(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;
	size_t most = 1;

	for (size_t distance = 1; distance < call->n_pos; distance *= 2)
		if (blocks_at(call->n_pos, distance) > most)
			most = blocks_at(call->n_pos, distance);
	if (pl_openmpi_check_count(call, err))
		return -1;
	if (count <= INT_MAX / most)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements of each of %zu ranks are too many for "
			  "Bruck's all-gather of Open MPI, which counts a "
			  "message of %zu blocks in an int",
			  (unsigned long long)count, call->n_pos, most);
}

int pl_openmpi_allgather_bruck(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (check(call, err))
		return -1;
	if (call->n_pos < 2 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		run_rank(s, call, rank);
	}
	return 0;
}

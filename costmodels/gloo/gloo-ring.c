/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-ring.c - Gloo's AllreduceRing: the whole buffer, N - 1 times */
/*
 *   0 ==> 1 ==> 2 ==> 3 ==> 0      the buffer, from inbox to inbox
 *   0 <-- 1 <-- 2 <-- 3 <-- 0      "my inbox is free"
 *
 * No ring all-reduce of the textbooks: in each of N - 1 rounds a rank passes on
 * the whole buffer that came in the round before and adds it to its own, so it
 * sends (N - 1) bytes where 2 (N - 1) / N bytes would do. Every round ends with
 * a notification to the left and one from the right; with them a round costs
 * 2 c + bytes / bw at the slowest link, (N - 1) times.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

/* The messages from now on are @rank's buffer as it was at first. */
static void of_rank(struct pl_script *s, size_t rank, uint64_t bytes)
{
	pl_script_data(s, rank * bytes, PL_STORES);
}

static void run_rank(struct pl_script *s, size_t n, size_t rank, uint64_t bytes)
{
	const size_t right = (rank + 1) % n, left = (rank + n - 1) % n;
	struct pl_request in;

	pl_script_rank(s, rank);
	of_rank(s, left, bytes);
	in = pl_script_irecv(s, left, bytes);
	pl_script_copy(s, bytes);
	for (size_t round = 0; round < n - 1; round++) {
		struct pl_request out;

		pl_script_round(s, (uint32_t)round);
		of_rank(s, (rank + n - round) % n, bytes);
		out = pl_script_isend(s, right, bytes);
		pl_script_wait(s, in);
		pl_script_reduce(s, bytes);
		pl_script_wait(s, out);
		if (round + 1 < n - 1) {
			pl_script_copy(s, bytes);
			of_rank(s, (rank + 2 * n - 2 - round) % n, bytes);
			in = pl_script_irecv(s, left, bytes);
		}
		pl_gloo_notify(s, left);
		pl_gloo_await(s, right);
	}
}

int pl_gloo_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	if (n == 1 || call->bytes == 0)
		return 0;
	pl_script_buffer(s, call->bytes, true);
	for (size_t rank = 0; rank < n && !pl_script_is_over(s); rank++)
		run_rank(s, n, rank, call->bytes);
	return 0;
}

int pl_gloo_ring_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	*shape = (struct pl_shape){.kind = PL_SLOWEST, .n_pos = call->n_pos};
	return pl_shape_add_ring(shape, call->n_pos, 1,
				 pl_gloo_paced_hop((double)(call->n_pos - 1), (double)call->bytes),
				 err);
}

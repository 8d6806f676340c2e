/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-allgather.c - Gloo's all-gathers: three rings */
/*
 *   0 ==> 1 ==> 2 ==> 3 ==> 0      N - 1 rounds, a block each
 *
 * gloo::allgather() sends each block in two halves (of bytes: with one byte the
 * first is empty, and sent) and has two of them under way; gloo::allgatherv()
 * and the class AllgatherRing send it whole. All wait for the right neighbour's
 * word before they send again, so that rounds go at the pace of the slowest
 * link: the functions for the announcement of its receive, the class for a
 * notification. Blocks of no bytes are sent like any other; the class may then
 * wait for ever, if one comes before its receiver has made the object.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

/* A half or a whole of a block is sent on. */
static void pass(struct pl_script *s, size_t n, size_t rank, uint64_t bytes, struct pl_request *out,
		 struct pl_request *in)
{
	*out = pl_script_isend(s, (rank + 1) % n, bytes);
	*in = pl_script_irecv(s, (rank + n - 1) % n, bytes);
}

static int check_halves(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos == 1 || call->bytes > 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "gloo::allgather() divides by zero if the ranks give no bytes");
}

int pl_gloo_allgather(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const uint64_t half[2] = {call->bytes / 2, call->bytes - call->bytes / 2};
	const size_t n = call->n_pos;

	if (check_halves(call, err))
		return -1;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		struct pl_request out[2], in[2];

		pl_script_rank(s, rank);
		for (size_t i = 0; i < 2 * (n - 1); i++) {
			if (i >= 2) {
				pl_script_wait(s, out[i & 1]);
				pl_script_wait(s, in[i & 1]);
			}
			pl_script_round(s, (uint32_t)(i / 2));
			pass(s, n, rank, half[i & 1], &out[i & 1], &in[i & 1]);
		}
	}
	return 0;
}

int pl_gloo_allgatherv(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		for (size_t i = 0; i < n - 1; i++) {
			struct pl_request out, in;

			pl_script_round(s, (uint32_t)i);
			pass(s, n, rank, call->bytes, &out, &in);
			pl_script_wait(s, out);
			pl_script_wait(s, in);
		}
	}
	return 0;
}

/* All blocks together are counted in an int. */
static int check_all(const struct pl_call *call, struct pl_err *err)
{
	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	return pl_gloo_check_int(call->bytes * call->n_pos, err);
}

int pl_gloo_allgather_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	if (check_all(call, err))
		return -1;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		const size_t left = (rank + n - 1) % n, right = (rank + 1) % n;
		struct pl_request in;

		pl_script_rank(s, rank);
		in = pl_script_irecv(s, left, call->bytes);
		pl_script_copy(s, call->bytes);
		for (size_t i = 0; i < n - 1; i++) {
			pl_script_round(s, (uint32_t)i);
			pl_script_isend(s, right, call->bytes);
			pl_script_wait(s, in);
			if (i + 1 < n - 1)
				in = pl_script_irecv(s, left, call->bytes);
			pl_gloo_notify(s, left);
			pl_gloo_await(s, right);
		}
	}
	return 0;
}

int pl_gloo_allgatherv_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SLOWEST, .n_pos = call->n_pos};
	return pl_shape_add_ring(shape, call->n_pos, 1,
				 pl_gloo_paced_hop((double)(call->n_pos - 1), (double)call->bytes),
				 err);
}

int pl_gloo_allgather_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	if (check_halves(call, err))
		return -1;
	return pl_gloo_allgatherv_shape(shape, call, err);
}

int pl_gloo_allgather_ring_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	if (check_all(call, err))
		return -1;
	return pl_gloo_allgatherv_shape(shape, call, err);
}

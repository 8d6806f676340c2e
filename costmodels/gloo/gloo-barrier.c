/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-barrier.c - Gloo's barriers: dissemination, all to all, all to one */
/*
 *   i -> i + 1, i -> i + 2, i -> i + 4 ...   gloo::barrier(): ceil(log2 N)
 *                                            rounds of messages of no bytes
 *   i -> j for all                           the class BarrierAllToAll, an int
 *   i -> 0, then 0 -> i                      the class BarrierAllToOne, an int
 *
 * What textbooks do not have: even a message of no bytes waits in the function
 * for the receiver's announcement.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

int pl_gloo_dissemination(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		uint32_t round = 0;

		pl_script_rank(s, rank);
		for (size_t d = 1; d < n; d <<= 1) {
			pl_script_round(s, round++);
			pl_script_sendrecv(s, (struct pl_exchange){.dst = (rank + d) % n,
								   .src = (rank + n - d) % n});
		}
	}
	return 0;
}

int pl_gloo_all_to_all(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		for (size_t peer = 0; peer < n; peer++)
			if (peer != rank)
				pl_gloo_notify(s, peer);
		for (size_t peer = 0; peer < n; peer++)
			if (peer != rank)
				pl_gloo_await(s, peer);
	}
	return 0;
}

int pl_gloo_all_to_one(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		if (rank != 0) {
			pl_gloo_notify(s, 0);
			pl_gloo_await(s, 0);
			continue;
		}
		for (size_t peer = 1; peer < n; peer++)
			pl_gloo_await(s, peer);
		pl_script_round(s, 1);
		for (size_t peer = 1; peer < n; peer++)
			pl_gloo_notify(s, peer);
	}
	return 0;
}

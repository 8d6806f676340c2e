/* SPDX-License-Identifier: BSD-3-Clause */
/* pipeline.c - what the stages of a pipeline send: one forward, one backward (1F1B) */
/*
 *   3 stages, 4 microbatches:       F0 F1 F2 B0 F3 B1    B2    B3
 *                                      F0 F1 B0 F2 B1 F3 B2 B3
 *                                         F0 B0 F1 B1 F2 B2 F3 B3
 *
 * A stage first passes on as many microbatches as stages follow it. Then each microbatch that it
 * passes on makes place for one that comes back: it sends the one and receives the other at once.
 * At last it returns those that are left. Narayanan et al., "Efficient Large-Scale Language Model
 * Training on GPU Clusters Using Megatron-LM" (SC 2021), 2.2; the exchanges are those of Megatron's
 * forward_backward_pipelining_without_interleaving.
 */
#include "config.h"

#include "order/job/calls.h"

#define NOBODY SIZE_MAX

struct stage {
	struct pl_script *s;
	const struct pl_job_kind *kind;
	size_t prev, next; /* positions of its neighbours, or NOBODY */
	uint64_t behind;   /* stages */
};

static void forward(const struct stage *a)
{
	pl_script_compute(a->s, a->kind->forward_ns * 1e-9);
}

static void backward(const struct stage *a)
{
	pl_script_compute(a->s, a->kind->backward_ns * 1e-9);
}

static void receive_from(const struct stage *a, size_t pos)
{
	if (pos != NOBODY)
		pl_script_recv(a->s, pos, a->kind->bytes);
}

static void send_to(const struct stage *a, size_t pos)
{
	if (pos != NOBODY)
		pl_script_send(a->s, pos, a->kind->bytes);
}

static void exchange_with(const struct stage *a, size_t pos)
{
	const uint64_t bytes = a->kind->bytes;

	if (pos != NOBODY)
		pl_script_sendrecv(a->s, (struct pl_exchange){pos, pos, bytes, bytes});
}

static void write_stage(const struct stage *a)
{
	const uint64_t all = a->kind->microbatches;
	const uint64_t first = a->behind < all ? a->behind : all;

	for (uint64_t i = 0; i < first; i++) {
		receive_from(a, a->prev);
		forward(a);
		send_to(a, a->next);
	}
	if (first < all)
		receive_from(a, a->prev);
	for (uint64_t i = first; i < all; i++) {
		forward(a);
		exchange_with(a, a->next);
		backward(a);
		if (i + 1 < all)
			exchange_with(a, a->prev);
		else
			send_to(a, a->prev);
	}
	for (uint64_t i = 0; i < first; i++) {
		receive_from(a, a->next);
		backward(a);
		send_to(a, a->prev);
	}
}

int pl_job_pipeline_script(struct pl_script *s, const struct pl_job_kind *kind, size_t n_stages,
			   struct pl_err *err)
{
	if (pl_script_init(s, n_stages, err))
		return -1;
	for (size_t pos = 0; pos < n_stages && !pl_script_is_over(s); pos++) {
		pl_script_rank(s, pos);
		if (kind->vpp > 1 && n_stages > 1) {
			pl_job_interleaved_stage(s, kind, pos, n_stages);
			continue;
		}
		write_stage(&(struct stage){
			.s = s,
			.kind = kind,
			.prev = pos > 0 ? pos - 1 : NOBODY,
			.next = pos + 1 < n_stages ? pos + 1 : NOBODY,
			.behind = n_stages - 1 - pos,
		});
	}
	return 0;
}

double pl_job_computing_s(const struct pl_job_kind *kind)
{
	size_t most = 1;

	for (size_t g = 0; g < kind->n_groups; g++)
		if (kind->first[g + 1] - kind->first[g] > most)
			most = kind->first[g + 1] - kind->first[g];
	return ((double)kind->microbatches + (double)(most - 1) / (double)kind->vpp) *
	       (kind->forward_ns + kind->backward_ns) * 1e-9;
}

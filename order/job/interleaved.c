/* SPDX-License-Identifier: BSD-3-Clause */
/* interleaved.c - what the stages of an interleaved pipeline send */
/*
 * Each of p stages has v parts of the model, as if there were v x p stages in a ring. It takes p
 * microbatches through its first part, the same ones through its second, and so on, then the next
 * p; backward the parts come in the other order. A step is one microbatch in one part. A stage
 * first makes v - 1 times p steps forward, and two more for each stage behind it; then it makes one
 * forward and one backward, and sends and receives at once what both give and what the next two
 * need; at last it makes the steps back that are left. Narayanan et al. (SC 2021), 2.2; the
 * exchanges are those of Megatron's forward_backward_pipelining_with_interleaving, without its
 * overlap.
 */
#include "config.h"

#include "order/job/calls.h"

#define NO_STEP UINT64_MAX

enum { FORWARD, BACKWARD }; /* tags: of two stages, each is both neighbours */

struct stage {
	struct pl_script *s;
	const struct pl_job_kind *kind;
	uint64_t pos, n; /* which of how many */
	uint64_t all;    /* steps in either direction */
};

struct steps {
	uint64_t forward, backward;
};

/* The part of a step: counted from the first one forward, from the last one backward. */
static uint64_t part_of(const struct stage *a, uint64_t step)
{
	return step % (a->n * a->kind->vpp) / a->n;
}

/* Does the first of the p x v stages make this step forward, or the last one backward? That takes
 * nothing from others. */
static bool begins(const struct stage *a, uint64_t step, uint64_t end)
{
	return a->pos == end && part_of(a, step) == 0;
}

/* Do these steps end at the other end? That gives nothing to others. */
static bool ends(const struct stage *a, uint64_t step, uint64_t end)
{
	return a->pos == end && part_of(a, step) == a->kind->vpp - 1;
}

/* Sends what the steps @done gave, and receives what the steps @next need. */
static void exchange(const struct stage *a, struct steps done, struct steps next)
{
	const uint64_t last = a->n - 1, bytes = a->kind->bytes;
	const size_t before = (size_t)((a->pos + last) % a->n);
	const size_t behind = (size_t)((a->pos + 1) % a->n);

	pl_script_tag(a->s, FORWARD);
	if (next.forward < a->all && !begins(a, next.forward, 0))
		pl_script_irecv(a->s, before, bytes);
	if (done.forward < a->all && !ends(a, done.forward, last))
		pl_script_isend(a->s, behind, bytes);
	pl_script_tag(a->s, BACKWARD);
	if (next.backward < a->all && !begins(a, next.backward, last))
		pl_script_irecv(a->s, behind, bytes);
	if (done.backward < a->all && !ends(a, done.backward, 0))
		pl_script_isend(a->s, before, bytes);
	pl_script_wait_all(a->s);
}

static void compute(const struct stage *a, double ns)
{
	pl_script_compute(a->s, ns * 1e-9 / (double)a->kind->vpp);
}

static void write_stage(const struct stage *a)
{
	const uint64_t ahead = 2 * (a->n - 1 - a->pos) + (a->kind->vpp - 1) * a->n;
	const uint64_t first = ahead < a->all ? ahead : a->all;

	exchange(a, (struct steps){NO_STEP, NO_STEP}, (struct steps){0, NO_STEP});
	for (uint64_t i = 0; i < first && !pl_script_is_over(a->s); i++) {
		compute(a, a->kind->forward_ns);
		exchange(a, (struct steps){i, NO_STEP},
			 (struct steps){i + 1, i + 1 < first ? NO_STEP : 0});
	}
	for (uint64_t i = first; i < a->all && !pl_script_is_over(a->s); i++) {
		compute(a, a->kind->forward_ns);
		compute(a, a->kind->backward_ns);
		exchange(a, (struct steps){i, i - first}, (struct steps){i + 1, i - first + 1});
	}
	for (uint64_t i = a->all - first; i < a->all && !pl_script_is_over(a->s); i++) {
		compute(a, a->kind->backward_ns);
		exchange(a, (struct steps){NO_STEP, i}, (struct steps){NO_STEP, i + 1});
	}
}

void pl_job_interleaved_stage(struct pl_script *s, const struct pl_job_kind *kind, size_t pos,
			      size_t n_stages)
{
	write_stage(&(struct stage){
		.s = s,
		.kind = kind,
		.pos = pos,
		.n = n_stages,
		.all = kind->microbatches * kind->vpp,
	});
}

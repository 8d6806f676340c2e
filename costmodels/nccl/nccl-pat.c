/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-pat.c - PAT: a binomial tree for every block, all shifted copies of
 * one */
/*
 *   all-gather, the way of one block from rank r of 8, each arrow 2^k to the
 *   left:
 *
 *        r -> r-4 -> r-6 -> r-7      block s of a rank is that of rank + s; it
 *        |      \--> r-5             comes from rank + (lowest bit of s), where
 *        |--> r-2 -> r-3             it is block s less that bit
 *        \--> r-1
 *
 * A reduce-scatter is the same backwards: the sum for rank r comes to it. So a
 * rank sends to, and receives from, ranks at distances 1, 2, 4, ...; all do the
 * same at the same time, and each sends N - 1 blocks. One rank a node only.
 *
 * In which order, and how many blocks in one message: the multiples of a
 * distance D go first (all-gather) or last, as a tree of their own; what stands
 * between them is sent for all N / D of them together. D is as small as the
 * buffers allow: as many blocks as fit one chunk go in one message ("at once"),
 * and eight times as many are under way. Blocks of small calls so go in log2 N
 * messages, and blocks that fill a chunk go one by one. In a reduce-scatter a
 * message has room for all blocks that it might have, even where N is no power
 * of two and they do not exist.
 *
 * Chunks are 512 KiB (one buffer step) or less, down to 64 KiB, so that an
 * all-gather has 32 of them and a reduce-scatter 16; or the call's segment. Any
 * N goes.
 *
 * Mirrors: src/include/collectives.h (PatAGAlgorithm, PatRSAlgorithm),
 * src/device/prims_simple.h (patCopy, patReduce), src/enqueue.cc.
 *
 * Objective: the sum over the distances of their dearest hop, each with what
 * goes that far: no block passes a distance twice, and one of them passes all.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/nccl/algorithms.h"
#include "costmodels/nccl/nccl-link.h"
#include "costmodels/nccl/nccl-pat-plan.h"

#include <stdbool.h>
#include <stdlib.h>

#define CHUNK_LEAST ((uint64_t)64 << 10)

struct pat {
	const struct pl_call *call;
	struct pl_pat_call of;
	struct pl_pat_plan plan;
	uint64_t n_chunks;
};

static uint64_t chunk_bytes(const struct pl_call *call, uint64_t all, unsigned n_wanted)
{
	uint64_t bytes = PL_NCCL_STEP_BYTES;

	while (bytes > all / n_wanted && bytes > CHUNK_LEAST)
		bytes /= 2;
	return pl_nccl_elements(call, bytes) * call->element_bytes;
}

/* The plan stays empty where nothing is sent. */
static int pat_init(struct pat *p, enum pl_collective collective, const struct pl_call *call,
		    struct pl_err *err)
{
	const bool rs = collective == PL_REDUCE_SCATTER;
	const size_t n = call->n_pos;
	const uint64_t block = rs ? call->bytes / n : call->bytes;
	uint64_t chunk;

	*p = (struct pat){.call = call};
	if (call->slots != 1 || call->n_ranks)
		return pl_err_set(err, PL_EUSAGE,
				  "PAT needs one rank a node, not %llu ranks "
				  "on %zu nodes",
				  (unsigned long long)pl_nccl_ranks(call), n / call->slots);
	if (rs && call->bytes / call->element_bytes % n)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu elements do not make equal blocks for "
				  "%zu ranks",
				  (unsigned long long)(call->bytes / call->element_bytes), n);
	if (block == 0 || n < 2)
		return 0;
	chunk = chunk_bytes(call, block > UINT64_MAX / n ? UINT64_MAX : block * n, rs ? 16 : 32);
	p->n_chunks = block / chunk + (block % chunk != 0);
	p->of = (struct pl_pat_call){rs, n, block, chunk};
	return pl_pat_plan_init(&p->plan, &p->of, err);
}

/* A rank while its program is written. */
struct writer {
	struct pl_script *s;
	const struct pat *p;
	size_t rank;
	uint64_t block;              /* bytes of this chunk of a block */
	struct pl_nccl_link out[64]; /* by distance */
	struct pl_request room[64][PL_NCCL_STEPS];
	struct pl_request *in; /* by message of the plan */
	bool *taken;
};

static size_t peer(size_t n, size_t rank, uint32_t dim, bool downwards)
{
	const size_t distance = (size_t)1 << dim;

	return (rank + (downwards ? n - distance : distance)) % n;
}

static uint64_t length(const struct writer *w, size_t message)
{
	return w->p->plan.message[message].room * w->block;
}

static void take(struct writer *w, size_t message)
{
	const struct pl_pat_message *m = &w->p->plan.message[message];

	if (w->taken[message])
		return;
	w->taken[message] = true;
	pl_script_wait(w->s, w->in[message]);
	if (w->p->of.reduce_scatter)
		pl_script_reduce(w->s, m->n_blocks * w->block);
}

/* What has to be here before a block can be sent: where it comes from, or what
 * is to be added to it. */
static void take_for(struct writer *w, uint32_t block, uint32_t dim)
{
	const struct pl_pat_plan *plan = &w->p->plan;
	const size_t bit = (size_t)1 << dim;

	if (!w->p->of.reduce_scatter && block > bit)
		take(w, plan->message_of[block - bit]);
	for (size_t b = bit / 2; w->p->of.reduce_scatter && b > 0; b /= 2)
		if (block + b < w->p->of.n)
			take(w, plan->message_of[block + b]);
}

static void run_chunk(struct writer *w, uint64_t chunk)
{
	const struct pl_pat_plan *plan = &w->p->plan;
	const bool rs = w->p->of.reduce_scatter;

	for (size_t i = 0; i < plan->n_messages; i++) {
		const uint32_t dim = plan->message[i].dim;

		w->taken[i] = false;
		pl_script_tag(w->s, dim);
		w->in[i] = pl_script_irecv(w->s, peer(w->p->of.n, w->rank, dim, rs), length(w, i));
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct pl_pat_message *m = &plan->message[i];

		for (uint32_t k = 0; k < m->n_blocks; k++)
			take_for(w, plan->block[m->first + k], m->dim);
		pl_script_round(w->s, (uint32_t)(chunk * plan->n_messages + i));
		pl_nccl_send(w->s, &w->out[m->dim], length(w, i));
	}
	for (size_t i = 0; i < plan->n_messages; i++)
		take(w, i);
}

static void run_rank(struct pl_script *s, const struct pat *p, size_t rank, struct pl_request *in,
		     bool *taken)
{
	struct writer w = {.s = s, .p = p, .rank = rank, .in = in, .taken = taken};

	for (uint32_t dim = 0; dim < 64; dim++)
		if ((size_t)1 << dim < p->of.n)
			w.out[dim] = (struct pl_nccl_link){
				.peer = peer(p->of.n, rank, dim, !p->of.reduce_scatter),
				.tag = dim,
				.buffer = w.room[dim],
				.n_buffers = PL_NCCL_STEPS};
	pl_script_rank(s, rank);
	for (uint64_t k = 0; k < p->n_chunks; k++) {
		const uint64_t left = p->of.block_bytes - k * p->of.chunk_bytes;

		w.block = left < p->of.chunk_bytes ? left : p->of.chunk_bytes;
		run_chunk(&w, k);
	}
}

static int generate(struct pl_script *s, enum pl_collective collective, const struct pl_call *call,
		    struct pl_err *err)
{
	struct pl_request *in = NULL;
	bool *taken = NULL;
	struct pat p;
	int rc = -1;

	if (pat_init(&p, collective, call, err))
		return -1;
	if (p.n_chunks == 0)
		return 0;
	if (pl_nccl_check_messages(p.n_chunks, call->n_pos * p.plan.n_messages, err))
		goto out;
	in = pl_array_create(p.plan.n_messages, sizeof(*in));
	taken = pl_array_create(p.plan.n_messages, sizeof(*taken));
	if (!in || !taken) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t r = 0; r < call->n_pos; r++)
		run_rank(s, &p, r, in, taken);
	rc = 0;
out:
	free(in);
	free(taken);
	pl_pat_plan_fini(&p.plan);
	return rc;
}

/* Bytes that go the distance 2^dim from each rank, in all chunks. */
static double bytes_at(const struct pat *p, uint32_t dim)
{
	double blocks = 0;

	for (size_t i = 0; i < p->plan.n_messages; i++)
		if (p->plan.message[i].dim == dim)
			blocks += p->plan.message[i].room;
	return blocks * (double)p->of.block_bytes;
}

static int add_distance(struct pl_shape *shape, const struct pat *p, uint32_t dim, bool downwards,
			struct pl_err *err)
{
	const size_t n = p->call->n_pos;
	const double bytes = bytes_at(p, dim);

	for (size_t r = 0; r < n; r++)
		if (pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)r,
						 .dst = (uint32_t)peer(n, r, dim, downwards),
						 .group = dim,
						 .times = 1,
						 .bytes = bytes},
				 err))
			return -1;
	return 0;
}

static int pat_shape(struct pl_shape *shape, enum pl_collective collective,
		     const struct pl_call *call, struct pl_err *err)
{
	const bool downwards = collective == PL_ALLGATHER;
	struct pat p;
	int rc = 0;

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (pat_init(&p, collective, call, err))
		return -1;
	for (uint32_t dim = 0; !rc && (size_t)1 << dim < call->n_pos; dim++)
		rc = add_distance(shape, &p, dim, downwards, err);
	pl_pat_plan_fini(&p.plan);
	return rc;
}

int pl_nccl_allgather_pat(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_ALLGATHER, call, err);
}

int pl_nccl_allgather_pat_shape(struct pl_shape *shape, const struct pl_call *call,
				struct pl_err *err)
{
	return pat_shape(shape, PL_ALLGATHER, call, err);
}

int pl_nccl_reduce_scatter_pat(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return generate(s, PL_REDUCE_SCATTER, call, err);
}

int pl_nccl_reduce_scatter_pat_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	return pat_shape(shape, PL_REDUCE_SCATTER, call, err);
}

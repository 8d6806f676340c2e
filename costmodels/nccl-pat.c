/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-pat.c - NCCL's PAT: a binomial tree for every block, all shifted copies of one */
/*
 *   all-gather, the way of one block from rank r of 8, each arrow 2^k to the left:
 *
 *        r -> r-4 -> r-6 -> r-7      block s of a rank is that of rank + s; it
 *        |      \--> r-5             comes from rank + (lowest bit of s), where
 *        |--> r-2 -> r-3             it is block s less that bit
 *        \--> r-1
 *
 * A reduce-scatter is the same backwards: the sum for rank r comes to it. So a rank sends to, and
 * receives from, ranks at distances 1, 2, 4, ...; all do the same at the same time, and each sends
 * N - 1 blocks. One rank a node only.
 *
 * In which order, and how many blocks in one message: the multiples of a distance D go first
 * (all-gather) or last, as a tree of their own; what stands between them is sent for all N / D of
 * them together. D is as small as the buffers allow: as many blocks as fit one chunk go in one
 * message ("at once"), and eight times as many are under way. Blocks of small calls so go in log2 N
 * messages, and blocks that fill a chunk go one by one. In a reduce-scatter a message has room for
 * all blocks that it might have, even where N is no power of two and they do not exist.
 *
 * Chunks are 512 KiB (one buffer step) or less, down to 64 KiB, so that an all-gather has 32 of
 * them and a reduce-scatter 16; or the call's segment. Any N goes.
 */
#include "config.h"

#include "costmodels/nccl.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_LEAST ((uint64_t)64 << 10)

/* A message to the rank at distance 2^dim. */
struct message {
	uint32_t dim;
	uint32_t room; /* its length, in blocks */
	/* its blocks: block[first .. first + n_blocks - 1] of the plan */
	uint32_t first, n_blocks;
};

/*
 * The messages that every rank sends for one chunk, in this order. All-gather: block s of the
 * receiver is the block of the rank s further on. Reduce-scatter: block s of the sender is the part
 * for the rank s further on. In both, block s travels the distance 2^dim, where 2^dim is the lowest
 * bit of s.
 */
struct plan {
	bool reduces;
	size_t n;
	uint64_t block_bytes;
	struct pl_blocks chunks; /* of a block */
	struct message *message; /* [n_messages], of n at most */
	size_t n_messages;
	uint32_t *block;      /* [n - 1] */
	uint32_t *message_of; /* [n], by block: the index of its message */
	size_t n_blocks;
	size_t n_trunk;  /* multiples of the distance that is the trunk's */
	size_t distance; /* n_trunk * distance = 2^k >= n */
	size_t at_once;  /* blocks in a message */
};

static void plan_fini(struct plan *p)
{
	free(p->message);
	free(p->block);
	free(p->message_of);
}

static void split(struct plan *p)
{
	const size_t all = p->n > 1 ? (size_t)2 << pl_log2(p->n - 1) : 1;

	p->n_trunk = 1;
	while (p->chunks.step_bytes / p->n_trunk / p->block_bytes >= 2 && p->n_trunk < p->n / 2)
		p->n_trunk *= 2;
	p->at_once = p->n_trunk;
	for (size_t depth = PL_NCCL_STEPS; depth > 1 && p->n_trunk < p->n / 2; depth /= 2)
		p->n_trunk *= 2;
	p->distance = all / p->n_trunk;
}

/* The bits of i < count, a power of two, in the other order and each the other. */
static size_t mirrored(size_t i, size_t count)
{
	size_t result = 0;

	for (size_t bit = 1, image = count / 2; bit < count; bit *= 2, image /= 2)
		if (!(i & bit))
			result += image;
	return result;
}

/* The blocks offset + i * stride, i < count, in messages of at_once: an all-gather from the nearest
 * on and no longer than needed, a reduce-scatter in mirrored order and with room for all. */
static void add(struct plan *p, size_t offset, size_t stride, size_t count)
{
	const size_t group = count < p->at_once ? count : p->at_once;

	for (size_t from = 0; from < count; from += group) {
		struct message m = {.dim = (uint32_t)__builtin_ctzll(offset),
				    .first = (uint32_t)p->n_blocks};

		for (size_t i = from; i < from + group; i++) {
			const size_t s = offset + (p->reduces ? mirrored(i, count) : i) * stride;

			if (s >= p->n)
				continue;
			p->block[p->n_blocks++] = (uint32_t)s;
			p->message_of[s] = (uint32_t)p->n_messages;
			m.n_blocks++;
		}
		m.room = p->reduces ? (uint32_t)group : m.n_blocks;
		if (m.n_blocks > 0)
			p->message[p->n_messages++] = m;
	}
}

/* The trunk's own tree: blocks that are odd multiples of span, span times distance being how far
 * they go. */
static void add_trunk(struct plan *p, size_t span)
{
	add(p, span * p->distance, 2 * span * p->distance, p->n_trunk / (2 * span));
}

/*
 * The offsets between the trunk's blocks, in the order in which an all-gather sends them: bit d is
 * set for 2^d turns and clear for 2^d - 1 and, the k-th time, as many more as k has trailing zeros;
 * none clear means that it stays set. It is first set when as many turns are over as there are bits
 * above it.
 */
struct turns {
	size_t n_bits, value;
	size_t left[64], times[64];
};

static size_t next_turn(struct turns *t)
{
	for (size_t d = 0; d < t->n_bits; d++) {
		const size_t bit = (size_t)1 << d;

		if (--t->left[d] > 0)
			continue;
		t->value ^= bit;
		t->left[d] = bit;
		if (t->value & bit)
			continue;
		t->left[d] += (size_t)__builtin_ctzll(t->times[d]++);
		if (--t->left[d] == 0) {
			t->value ^= bit;
			t->left[d] = bit;
		}
	}
	return t->value;
}

static void plan_all_gather(struct plan *p)
{
	struct turns turns = {.n_bits = (size_t)__builtin_ctzll(p->distance)};

	for (size_t d = 0; d < turns.n_bits; d++) {
		turns.left[d] = turns.n_bits - d;
		turns.times[d] = 1;
	}
	for (size_t span = p->n_trunk / 2; span > 0; span /= 2)
		add_trunk(p, span);
	for (size_t i = 1; i < p->distance; i++)
		add(p, next_turn(&turns), p->distance, p->n_trunk);
}

/* From the farthest offset down: what came for an odd one is added to the even one before it, which
 * then goes. */
static void plan_reduce_scatter(struct plan *p)
{
	for (size_t s = p->distance - 1; s < p->distance; s -= 2) {
		add(p, s, p->distance, p->n_trunk);
		if (s > 1)
			add(p, s - 1, p->distance, p->n_trunk);
	}
	for (size_t span = 1; span < p->n_trunk; span *= 2)
		add_trunk(p, span);
}

/* The plan stays empty where nothing is sent. 0, or -1 with @err set and nothing to release. */
static int plan_init(struct plan *p, enum pl_collective collective, const struct pl_call *call,
		     struct pl_err *err)
{
	const bool reduces = collective == PL_REDUCE_SCATTER;
	const size_t n = call->n_pos;
	const uint64_t block = reduces ? call->bytes / n : call->bytes;
	const uint64_t all = block > UINT64_MAX / n ? UINT64_MAX : block * n;
	uint64_t chunk = PL_NCCL_STEP_BYTES;

	while (chunk > all / (reduces ? 16 : 32) && chunk > CHUNK_LEAST)
		chunk /= 2;
	*p = (struct plan){.reduces = reduces,
			   .n = n,
			   .block_bytes = block,
			   .chunks = pl_nccl_chunks(call, block, chunk)};
	if (block == 0 || n < 2)
		return 0;
	p->message = pl_array_create(n, sizeof(*p->message));
	p->block = pl_array_create(n, sizeof(*p->block));
	p->message_of = pl_array_create(n, sizeof(*p->message_of));
	if (!p->message || !p->block || !p->message_of) {
		plan_fini(p);
		return pl_err_nomem(err);
	}
	split(p);
	if (reduces)
		plan_reduce_scatter(p);
	else
		plan_all_gather(p);
	return 0;
}

int pl_nccl_check_pat(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t n = call->n_ranks ? call->n_ranks : call->n_pos;

	if (call->slots == 1 && !call->n_ranks)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "PAT needs one rank a node, not %llu ranks on %zu nodes",
			  (unsigned long long)n, call->n_pos / call->slots);
}

int pl_nccl_check_pat_blocks(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (pl_nccl_check_pat(call, err))
		return -1;
	if (count % call->n_pos == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%llu elements do not make equal blocks for %zu ranks",
			  (unsigned long long)count, call->n_pos);
}

/* ---- a rank while its program is written */

struct writer {
	const struct pl_rank *r;
	const struct plan *p;
	uint64_t block;              /* bytes of this chunk of a block */
	struct pl_nccl_link out[64]; /* by distance */
	struct pl_request first_in;  /* of this chunk */
	bool *taken;                 /* by message of the plan */
};

static size_t peer(size_t n, size_t rank, uint32_t dim, bool downwards)
{
	const size_t distance = (size_t)1 << dim;

	return (rank + (downwards ? n - distance : distance)) % n;
}

static uint64_t length(const struct writer *w, size_t message)
{
	return w->p->message[message].room * w->block;
}

static void take(struct writer *w, size_t message)
{
	if (w->taken[message])
		return;
	w->taken[message] = true;
	pl_rank_wait_nth(w->r, w->first_in, message);
	if (w->p->reduces)
		pl_script_reduce(w->r->s, w->p->message[message].n_blocks * w->block);
}

/* What has to be here before a block can be sent: where it comes from, or what is to be added to
 * it. */
static void take_for(struct writer *w, uint32_t block, uint32_t dim)
{
	const size_t bit = (size_t)1 << dim;

	if (!w->p->reduces && block > bit)
		take(w, w->p->message_of[block - bit]);
	for (size_t b = bit / 2; w->p->reduces && b > 0; b /= 2)
		if (block + b < w->p->n)
			take(w, w->p->message_of[block + b]);
}

static void write_chunk(struct writer *w, uint64_t chunk)
{
	const struct plan *p = w->p;

	w->first_in = pl_script_next(w->r->s, false);
	for (size_t i = 0; i < p->n_messages; i++) {
		const uint32_t dim = p->message[i].dim;

		w->taken[i] = false;
		pl_script_tag(w->r->s, dim);
		pl_script_irecv(w->r->s, peer(p->n, w->r->rank, dim, p->reduces), length(w, i));
	}
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct message *m = &p->message[i];

		for (uint32_t k = 0; k < m->n_blocks; k++)
			take_for(w, p->block[m->first + k], m->dim);
		pl_script_round(w->r->s, (uint32_t)(chunk * p->n_messages + i));
		pl_nccl_send(w->r, &w->out[m->dim], length(w, i));
	}
	for (size_t i = 0; i < p->n_messages; i++)
		take(w, i);
}

/* The plan, and room to work in. */
struct work {
	struct plan plan;
	bool *taken;
};

void pl_nccl_pat(const struct pl_rank *r)
{
	const struct work *work = r->comm->own;
	const struct plan *p = &work->plan;
	struct writer w = {.r = r, .p = p, .taken = work->taken};

	if (pl_script_exceeds(r->s, p->chunks.n, r->n * p->n_messages))
		return;
	for (uint32_t dim = 0; (size_t)1 << dim < r->n; dim++)
		w.out[dim] = (struct pl_nccl_link){.peer = peer(r->n, r->rank, dim, !p->reduces),
						   .tag = dim};
	for (uint64_t k = 0; k < p->chunks.n; k++) {
		w.block = pl_block_bytes(&p->chunks, k);
		write_chunk(&w, k);
	}
}

int pl_nccl_write_pat(const struct pl_comm_call *c, const struct pl_algorithm *a,
		      struct pl_err *err)
{
	struct work work;
	struct pl_comm_call own = *c;
	int rc;

	if (plan_init(&work.plan, a->collective, &c->call, err))
		return -1;
	work.taken = pl_array_create(work.plan.n_messages, sizeof(*work.taken));
	own.own = &work;
	rc = work.taken ? pl_comm_write_ranks(&own, a, err) : pl_err_nomem(err);
	free(work.taken);
	plan_fini(&work.plan);
	return rc;
}

/* ---- the objective: the sum over the distances of their dearest hop, each with what goes that
 * far: no block passes a distance twice, and one of them passes all */

/* Bytes that go the distance 2^dim from each rank, in all chunks. */
static double bytes_at(const struct plan *p, uint32_t dim)
{
	double blocks = 0;

	for (size_t i = 0; i < p->n_messages; i++)
		if (p->message[i].dim == dim)
			blocks += p->message[i].room;
	return blocks * (double)p->block_bytes;
}

int pl_nccl_pat_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			  const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	struct plan p;
	int rc = 0;

	shape->kind = PL_SUM_OF_MAXIMA;
	if (plan_init(&p, a->collective, call, err))
		return -1;
	for (uint32_t dim = 0; !rc && (size_t)1 << dim < n; dim++) {
		const size_t distance = (size_t)1 << dim;
		const struct pl_hop hop = {.group = dim, .times = 1, .bytes = bytes_at(&p, dim)};

		rc = pl_shape_add_ring(shape, n, p.reduces ? distance : n - distance, hop, err);
	}
	plan_fini(&p);
	return rc;
}

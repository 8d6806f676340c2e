/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-scatter.c - broadcast as a scatter and an all-gather: two
 * algorithms */
/*
 *   0: --4..7--+  --2,3--+  --1--+    each rank keeps one block of N and hands
 *   1:         |         |    <--+    the upper half of the others on; then
 *   2:         |      <--+  --3--+    all gather all blocks:
 *   3:         |             <---+
 *   4:      <--+  --6,7--+  --5--+    scatter-allgather: by recursive doubling,
 *   ...                               partner i XOR 2^k in step k
 *                                     scatter-allgather-ring: N - 1 times round
 *
 * (Ranks counted from the root.) All blocks have ceil(count / N) elements but
 * the last ones, which are shorter or empty. Rounds: ceil(log2 N) for the
 * scatter, then log2 N or N - 1. Bytes through a rank: about twice the buffer.
 *
 * The scatter leaves empty parts out; the all-gather sends empty blocks too.
 * The textbooks' recursive doubling wants a power of two; here the ranks whose
 * partner would be N or above get what it would have had from those that have
 * it, by a halving tree of their own (a round for each level of it, after the
 * exchange of that step). Fewer elements than ranks go by the linear broadcast.
 *
 * Cost: the dearest hop of each round. The ring of eager blocks: the sum of its
 * hops, as a block passes all but one and ranks do not wait for each other; the
 * scatter's few hops are left out then.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/segments.h"

struct scatter {
	size_t n, root;
	uint64_t bytes, block_bytes;
};

static struct scatter scatter_of(const struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;

	return (struct scatter){
		.n = call->n_pos,
		.root = call->root,
		.bytes = call->bytes,
		.block_bytes = (count + call->n_pos - 1) / call->n_pos * call->element_bytes,
	};
}

/* Blocks @first .. @first + @n - 1. */
static struct pl_range range(const struct scatter *c, size_t first, size_t n)
{
	const uint64_t begin = first * c->block_bytes;

	if (begin >= c->bytes)
		return (struct pl_range){c->bytes, 0};
	return (struct pl_range){begin, n * c->block_bytes < c->bytes - begin ? n * c->block_bytes
									      : c->bytes - begin};
}

static size_t rank_of(const struct scatter *c, size_t shifted)
{
	return (shifted + c->root) % c->n;
}

/* The scatter; gives the number of its rounds. */
static uint32_t run_scatter(struct pl_script *s, const struct scatter *c, size_t me)
{
	uint32_t rounds = 0, round;
	struct pl_range part;
	size_t mask;

	while ((size_t)1 << rounds < c->n)
		rounds++;
	for (mask = 1, round = rounds; mask < c->n; mask <<= 1, round--) {
		if (!(me & mask))
			continue;
		part = range(c, me, mask);
		pl_script_data(s, part.at, PL_STORES);
		if (part.bytes > 0)
			pl_script_recv(s, rank_of(c, me - mask), part.bytes);
		break;
	}
	while ((mask >>= 1) > 0) {
		pl_script_round(s, round++);
		part = range(c, me + mask, mask);
		pl_script_data(s, part.at, PL_STORES);
		if (me + mask < c->n && part.bytes > 0)
			pl_script_send(s, rank_of(c, me + mask), part.bytes);
	}
	return rounds;
}

/* Of 2 * @half ranks from the multiple of that below @me on, the upper ones are
 * not all there: those that are have given their blocks to as many lower ones,
 * which pass them on to the other lower ones. */
static void spread(struct pl_script *s, const struct scatter *c, size_t me, size_t half,
		   uint32_t round)
{
	const size_t upper = me / half * half + half;
	const size_t informed = c->n - upper;
	const struct pl_range part = range(c, upper, half);

	pl_script_data(s, part.at, PL_STORES);
	for (size_t mask = half >> 1; mask > 0; mask >>= 1) {
		const size_t peer = me ^ mask;
		const size_t border = me / (2 * mask) * (2 * mask) + informed;

		pl_script_round(s, round++);
		if (peer > me && me < border && peer >= border)
			pl_script_send(s, rank_of(c, peer), part.bytes);
		else if (peer < me && peer < border && me >= border)
			pl_script_recv(s, rank_of(c, peer), part.bytes);
	}
}

static void run_doubling(struct pl_script *s, const struct scatter *c, size_t me, uint32_t round)
{
	uint32_t levels = 0;

	for (size_t half = 1; half < c->n; half <<= 1, levels++) {
		const size_t peer = me ^ half;
		const size_t mine = me / half * half;
		const size_t theirs = peer / half * half;
		/* there is a pair of groups whose upper one is not full */
		const bool lacking = c->n % (2 * half) > half;

		pl_script_round(s, round);
		if (peer < c->n)
			pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){
						       .dst = rank_of(c, peer),
						       .src = rank_of(c, peer),
						       .out = range(c, mine, half),
						       .in = range(c, theirs, half),
						       .taking = PL_STORES,
					       });
		if (lacking && theirs > mine && theirs < c->n && theirs + half > c->n)
			spread(s, c, me, half, round + 1);
		round += lacking ? 1 + levels : 1;
	}
}

static void run_ring(struct pl_script *s, const struct scatter *c, size_t me, uint32_t round)
{
	for (size_t i = 0; i + 1 < c->n; i++) {
		const size_t out = (me + c->n - i) % c->n;
		const size_t in = (out + c->n - 1) % c->n;

		pl_script_round(s, round++);
		pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){
					       .dst = rank_of(c, me + 1),
					       .src = rank_of(c, me + c->n - 1),
					       .out = range(c, out, 1),
					       .in = range(c, in, 1),
					       .taking = PL_STORES,
				       });
	}
}

static int run(struct pl_script *s, const struct pl_call *call,
	       void (*gather)(struct pl_script *, const struct scatter *, size_t, uint32_t),
	       struct pl_err *err)
{
	const struct scatter c = scatter_of(call);

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->bytes / call->element_bytes < call->n_pos)
		return pl_openmpi_broadcast_linear(s, call, err);
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++) {
		const size_t me = (rank + c.n - c.root) % c.n;

		pl_script_rank(s, rank);
		gather(s, &c, me, run_scatter(s, &c, me));
	}
	return 0;
}

int pl_openmpi_broadcast_scatter_allgather(struct pl_script *s, const struct pl_call *call,
					   struct pl_err *err)
{
	return run(s, call, run_doubling, err);
}

int pl_openmpi_broadcast_scatter_allgather_ring(struct pl_script *s, const struct pl_call *call,
						struct pl_err *err)
{
	return run(s, call, run_ring, err);
}

static int add(struct pl_shape *shape, const struct scatter *c, size_t src, size_t dst,
	       struct pl_hop hop, struct pl_err *err)
{
	hop.src = (uint32_t)rank_of(c, src);
	hop.dst = (uint32_t)rank_of(c, dst);
	return pl_shape_add(shape, hop, err);
}

/* A group for each round of the scatter, one for all of the ring, which takes
 * the same hops in every round. */
static int add_all(struct pl_shape *shape, const struct scatter *c, struct pl_err *err)
{
	uint32_t rounds = 0;

	while ((size_t)1 << rounds < c->n)
		rounds++;
	for (size_t me = 0; me < c->n; me++) {
		const int bit = __builtin_ctzll(me | (size_t)1 << rounds);
		const uint64_t scattered = range(c, me, (size_t)1 << bit).bytes;

		if (me > 0 && scattered > 0 &&
		    add(shape, c, me - ((size_t)1 << bit), me,
			(struct pl_hop){.group = rounds - 1 - (uint32_t)bit,
					.times = 1,
					.bytes = (double)scattered},
			err))
			return -1;
		if (add(shape, c, me, me + 1,
			(struct pl_hop){.group = rounds,
					.times = (double)(c->n - 1),
					.bytes = (double)c->block_bytes},
			err))
			return -1;
	}
	return 0;
}

int pl_openmpi_broadcast_scatter_allgather_ring_shape(struct pl_shape *shape,
						      const struct pl_call *call,
						      struct pl_err *err)
{
	const struct scatter c = scatter_of(call);

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->bytes / call->element_bytes < call->n_pos)
		return pl_openmpi_rounds_shape(shape, PL_BROADCAST, "linear", call, err);
	if (c.block_bytes <= PL_OPENMPI_EAGER_BYTES)
		return pl_openmpi_ring_shape(shape, c.n, 1, (double)c.block_bytes, err);
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = c.n};
	if (c.n > 1 && add_all(shape, &c, err)) {
		pl_shape_fini(shape);
		return -1;
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-halving.c - Gloo's classes that halve buffers in binary blocks of ranks */
#include "config.h"

#include "costmodels/gloo.h"

#define STEPS_MAX 32

/* ---- recursive halving in binary blocks
 *
 *   step 0   0=1 2=3 | 4=5 | 6     half of the buffer
 *   step 1   0=2 1=3               a quarter
 *            4 <- 6 -> 5           the smallest block to the next larger one,
 *            0,2 <- 4  5 -> 1,3    and that, with its sum, to the next
 *
 * N ranks are cut into blocks of ranks, one for each bit that is set in N, the largest first: 0 ..
 * 3, 4 .. 5, 6 for N = 7. Within a block a rank exchanges in step i with rank ^ 2^i, so that the
 * nearest ranks exchange most. The largest block halves the whole buffer, which is cut for it into
 * 2^floor(log2 N) chunks, rounded up: the last ones may be short or empty, and ranks at the end
 * have nothing to do. After its steps a smaller block sends its result to the next larger block, in
 * pieces of the size of that block's parts. After every step a rank tells its peer that the buffer
 * it took from is free.
 */

struct place {
	unsigned all_steps; /* floor(log2 N) */
	uint64_t chunk;     /* bytes */
	size_t first, size; /* this rank's block */
	/* sizes of the two neighbouring blocks; 0: none */
	size_t smaller, larger;
	unsigned n_steps;
	size_t peer[STEPS_MAX];
	/* of no bytes: nothing is sent */
	struct pl_range sent[STEPS_MAX], kept[STEPS_MAX];
	struct pl_range own; /* what the rank has after its steps */
	struct pl_request in[STEPS_MAX];
};

static size_t mirrored(size_t x, unsigned n_bits)
{
	size_t y = 0;

	for (unsigned i = 0; i < n_bits; i++)
		y = y << 1 | (x >> i & 1);
	return y;
}

/* Finds the block of ranks, and its neighbours. */
static void find_block(struct place *p, const struct pl_rank *r)
{
	size_t offset = r->n;

	for (size_t size = 1; offset != 0; size <<= 1) {
		if (!(r->n & size))
			continue;
		offset -= size;
		if (p->size) {
			p->larger = size;
			break;
		}
		if (offset <= r->rank) {
			p->first = offset;
			p->size = size;
		} else {
			p->smaller = size;
		}
	}
}

static struct pl_range part_of(const struct pl_rank *r, uint64_t at, uint64_t bytes)
{
	const uint64_t left = at < r->bytes ? r->bytes - at : 0;

	return (struct pl_range){at, left < bytes ? left : bytes};
}

static struct place place_of(const struct pl_rank *r)
{
	struct place p = {.all_steps = pl_log2(r->n), .own = {0, r->bytes}};
	uint64_t half;

	p.chunk = pl_blocks_up(&r->comm->call, (size_t)1 << p.all_steps).step_bytes;
	find_block(&p, r);
	p.n_steps = pl_log2(p.size);
	half = p.chunk << p.all_steps;
	for (unsigned i = 0; i < p.n_steps; i++) {
		const bool upper = r->rank >> i & 1;

		half >>= 1;
		p.peer[i] = r->rank ^ (size_t)1 << i;
		p.kept[i] = part_of(r, p.own.at + (upper ? half : 0), half);
		p.sent[i] = part_of(r, p.own.at + (upper ? 0 : half), half);
		p.own = p.kept[i];
	}
	return p;
}

/* The rank of the smaller block that sends to this rank. */
static size_t smaller_peer(const struct pl_rank *r, const struct place *p)
{
	return p->first + p->size + r->rank % p->size % p->smaller;
}

/* Piece @i of what this rank sends to the larger block, empty if the data end before it, and the
 * rank that it goes to. */
static struct pl_range piece(const struct pl_rank *r, const struct place *p, size_t i)
{
	const uint64_t bytes = p->chunk << (p->all_steps - pl_log2(p->larger));

	return part_of(r, p->own.at + bytes * i, bytes);
}

static size_t larger_peer(const struct pl_rank *r, const struct place *p, size_t i)
{
	const size_t mine = mirrored(r->rank % p->size, p->n_steps);

	return p->first - p->larger +
	       mirrored(mine * (p->larger / p->size) + i, pl_log2(p->larger));
}

static size_t n_pieces(const struct pl_rank *r, const struct place *p)
{
	size_t n = 0;

	while (p->larger && n < p->larger / p->size && piece(r, p, n).bytes)
		n++;
	return n;
}

static void send_pieces(const struct pl_rank *r, const struct place *p)
{
	if (!p->larger)
		return;
	pl_script_round(r->s, pl_log2(p->larger));
	for (size_t i = 0; i < n_pieces(r, p); i++)
		pl_rank_isend(r, larger_peer(r, p, i), piece(r, p, i), PL_STORES);
}

/* The reduce-scatter within a block, and the receive from the smaller block. @again: the buffers
 * are used again for other data; their receives are posted together with the notification that they
 * are free. */
static void halve(const struct pl_rank *r, struct place *p, bool again)
{
	const bool hears = p->smaller && p->own.bytes;
	struct pl_request from_smaller = {0};

	for (unsigned i = 0; i < p->n_steps; i++)
		if (p->kept[i].bytes)
			p->in[i] = pl_rank_irecv(r, p->peer[i], p->kept[i], PL_ADDS);
	if (hears)
		from_smaller = pl_rank_irecv(r, smaller_peer(r, p), p->own, PL_ADDS);
	for (unsigned i = 0; i < p->n_steps; i++) {
		pl_script_round(r->s, i);
		if (p->sent[i].bytes)
			pl_rank_isend(r, p->peer[i], p->sent[i], PL_STORES);
		if (p->kept[i].bytes) {
			pl_script_wait(r->s, p->in[i]);
			pl_script_reduce(r->s, p->kept[i].bytes);
		}
		if (again && p->sent[i].bytes)
			p->in[i] = pl_rank_irecv(r, p->peer[i], p->sent[i], PL_STORES);
		pl_gloo_notify(r, p->peer[i]);
	}
	if (hears) {
		pl_script_wait(r->s, from_smaller);
		pl_script_reduce(r->s, p->own.bytes);
	}
}

/* AllreduceHalvingDoubling's all-gather, steps in reverse. */
static void double_up(const struct pl_rank *r, const struct place *p, uint32_t last_round)
{
	for (unsigned i = p->n_steps; i-- > 0;) {
		pl_script_round(r->s, last_round - i);
		pl_gloo_await(r, p->peer[i]);
		if (p->kept[i].bytes)
			pl_rank_isend(r, p->peer[i], p->kept[i], PL_STORES);
		if (p->sent[i].bytes) {
			pl_script_wait(r->s, p->in[i]);
			pl_script_copy(r->s, p->sent[i].bytes);
		}
		pl_gloo_notify(r, p->peer[i]);
	}
	for (unsigned i = p->n_steps; i-- > 0;)
		pl_gloo_await(r, p->peer[i]);
}

/* What the larger block gives back comes into buffers registered from the start. */
void pl_gloo_halving_doubling(const struct pl_rank *r)
{
	struct place p = place_of(r);
	const uint32_t last_round = 2 * (p.all_steps + !pl_is_power_of_two(r->n)) - 1;
	const bool gives_back = p.smaller && p.own.bytes;
	const struct pl_request from_larger = pl_script_next(r->s, false);
	struct pl_request down = {0};

	for (size_t i = 0; i < n_pieces(r, &p); i++)
		pl_rank_irecv(r, larger_peer(r, &p, i), piece(r, &p, i), PL_STORES);
	halve(r, &p, true);
	send_pieces(r, &p);
	for (size_t i = 0; i < n_pieces(r, &p); i++)
		pl_rank_wait_nth(r, from_larger, i);
	if (n_pieces(r, &p))
		pl_script_copy(r->s, p.own.bytes);
	if (gives_back) {
		pl_script_round(r->s, last_round - p.n_steps);
		down = pl_rank_isend(r, smaller_peer(r, &p), p.own, PL_STORES);
	}
	double_up(r, &p, last_round);
	if (gives_back)
		pl_script_wait(r->s, down);
}

/* ---- ReduceScatterHalvingDoubling
 *
 * Halving nearest rank first leaves the parts in bit-reversed order, and only on the largest block;
 * so a last round moves all parts to their owners, even where N is a power of two, and each owner
 * tells the giver that it has taken its part. The caller says how much each rank gets; here nearly
 * equal blocks. Empty blocks come last: one before others would leave Gloo waiting for ever.
 */

static struct pl_range common(struct pl_range a, struct pl_range b)
{
	const uint64_t at = a.at > b.at ? a.at : b.at;
	const uint64_t end_a = a.at + a.bytes, end_b = b.at + b.bytes;
	const uint64_t end = end_a < end_b ? end_a : end_b;

	return (struct pl_range){at, end > at ? end - at : 0};
}

static struct pl_range wanted_by(const struct pl_rank *r, size_t rank)
{
	const struct pl_blocks b = pl_blocks_even(&r->comm->call, r->n);

	return pl_block_range(&b, rank, 1);
}

/* What this rank gives to @peer once the halving is over. */
static struct pl_range given(const struct pl_rank *r, const struct place *p, size_t peer)
{
	if (p->larger || peer == r->rank)
		return (struct pl_range){0, 0};
	return common(p->own, wanted_by(r, peer));
}

/* What this rank takes out of chunk @i, and from whom. */
static struct pl_range taken(const struct pl_rank *r, const struct place *p, size_t i, size_t *peer)
{
	*peer = mirrored(i, p->all_steps);
	if (*peer == r->rank)
		return (struct pl_range){0, 0};
	return common((struct pl_range){i * p->chunk, p->chunk}, wanted_by(r, r->rank));
}

static struct pl_request expect_taken(const struct pl_rank *r, const struct place *p)
{
	const struct pl_request first = pl_script_next(r->s, false);
	size_t peer;

	pl_script_tag(r->s, PL_GLOO_PARTS);
	for (size_t i = 0; i < (size_t)1 << p->all_steps; i++) {
		const struct pl_range part = taken(r, p, i, &peer);

		if (part.bytes)
			pl_rank_irecv(r, peer, part, PL_STORES);
	}
	pl_script_tag(r->s, PL_GLOO_DATA);
	return first;
}

static void give_and_take(const struct pl_rank *r, const struct place *p, struct pl_request first)
{
	size_t n = 0, peer;

	pl_script_round(r->s, p->all_steps + 1);
	pl_script_tag(r->s, PL_GLOO_PARTS);
	for (peer = 0; peer < r->n; peer++)
		if (given(r, p, peer).bytes)
			pl_rank_isend(r, peer, given(r, p, peer), PL_STORES);
	for (size_t i = 0; i < (size_t)1 << p->all_steps; i++) {
		const struct pl_range part = taken(r, p, i, &peer);

		if (!part.bytes)
			continue;
		pl_rank_wait_nth(r, first, n++);
		pl_script_copy(r->s, part.bytes);
		pl_gloo_notify(r, peer);
	}
}

void pl_gloo_reduce_scatter(const struct pl_rank *r)
{
	struct place p = place_of(r);
	const struct pl_request first = expect_taken(r, &p);

	halve(r, &p, false);
	send_pieces(r, &p);
	give_and_take(r, &p, first);
	for (unsigned i = 0; i < p.n_steps; i++)
		pl_gloo_await(r, p.peer[i]);
	for (size_t peer = 0; peer < r->n; peer++)
		if (given(r, &p, peer).bytes)
			pl_gloo_await(r, peer);
}

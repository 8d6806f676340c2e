/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-classes.c - Gloo's classes, whose buffers are bound to pairs of ranks */
#include "config.h"

#include "costmodels/gloo.h"

#define NOTIFICATION_BYTES 4
/* AllreduceRingChunked: elements in a chunk */
#define CHUNK_ELEMENTS_MIN 256

int pl_gloo_check_int(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT32_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "this class of Gloo counts in an int: %llu bytes are more than 2^31 - 1",
			  (unsigned long long)call->bytes);
}

int pl_gloo_check_gathered(const struct pl_call *call, struct pl_err *err)
{
	struct pl_call all = *call;

	if (pl_gloo_check_int(call, err))
		return -1;
	all.bytes *= all.n_pos;
	return pl_gloo_check_int(&all, err);
}

void pl_gloo_notify(const struct pl_rank *r, size_t dst)
{
	pl_script_tag(r->s, PL_GLOO_NOTIFY);
	pl_script_data(r->s, 0, PL_TAKES_NOTHING);
	pl_script_isend(r->s, dst, NOTIFICATION_BYTES);
	pl_script_tag(r->s, PL_GLOO_DATA);
}

void pl_gloo_await(const struct pl_rank *r, size_t src)
{
	pl_script_tag(r->s, PL_GLOO_NOTIFY);
	pl_script_data(r->s, 0, PL_TAKES_NOTHING);
	pl_script_recv(r->s, src, NOTIFICATION_BYTES);
	pl_script_tag(r->s, PL_GLOO_DATA);
}

/* ---- rings
 *
 *   0 ==> 1 ==> 2 ==> 3 ==> 0      data, from inbox to inbox
 *   0 <-- 1 <-- 2 <-- 3 <-- 0      "my inbox is free"
 */

/* No ring all-reduce of the textbooks: in each of N - 1 rounds a rank passes on the whole buffer
 * that came in the round before and adds it to its own. */
void pl_gloo_ring(const struct pl_rank *r)
{
	const size_t n = r->n, right = (r->rank + 1) % n, left = (r->rank + n - 1) % n;
	struct pl_request in =
		pl_rank_irecv(r, left, (struct pl_range){left * r->bytes, r->bytes}, PL_STORES);

	pl_script_copy(r->s, r->bytes);
	for (size_t round = 0; round < n - 1; round++) {
		const size_t of = (r->rank + n - round) % n, next = (of + n - 2) % n;
		struct pl_request out;

		pl_script_round(r->s, (uint32_t)round);
		out = pl_rank_isend(r, right, (struct pl_range){of * r->bytes, r->bytes},
				    PL_STORES);
		pl_script_wait(r->s, in);
		pl_script_reduce(r->s, r->bytes);
		pl_script_wait(r->s, out);
		if (round + 1 < n - 1) {
			pl_script_copy(r->s, r->bytes);
			in = pl_rank_irecv(r, left, (struct pl_range){next * r->bytes, r->bytes},
					   PL_STORES);
		}
		pl_gloo_notify(r, left);
		pl_gloo_await(r, right);
	}
}

/* A receive may wait for ever, if an empty block comes before its receiver has made the object. */
void pl_gloo_gather_ring(const struct pl_rank *r)
{
	const size_t n = r->n, right = (r->rank + 1) % n, left = (r->rank + n - 1) % n;
	struct pl_request in = pl_script_irecv(r->s, left, r->bytes);

	pl_script_copy(r->s, r->bytes);
	for (size_t i = 0; i < n - 1; i++) {
		pl_script_round(r->s, (uint32_t)i);
		pl_script_isend(r->s, right, r->bytes);
		pl_script_wait(r->s, in);
		if (i + 1 < n - 1)
			in = pl_script_irecv(r->s, left, r->bytes);
		pl_gloo_notify(r, left);
		pl_gloo_await(r, right);
	}
}

/*
 * AllreduceRingChunked: each rank sends 4 N - 4 chunks of ceil(count / 2 N) elements, by turns into
 * inbox 0 and inbox 1: the two of its own, then on and on what came in last into either inbox, once
 * round to reduce and once round to gather. A chunk has at least 256 elements, so that small
 * buffers fill few of the 2 N chunks, and for each empty one a single element is sent all the same;
 * and a chunk is sent on only after a notification to the left and one from the right.
 */
static struct pl_blocks chunks_of(const struct pl_call *call)
{
	struct pl_blocks b = pl_blocks_up(call, 2 * call->n_pos);

	if (b.step_bytes < CHUNK_ELEMENTS_MIN * call->element_bytes)
		b.step_bytes = CHUNK_ELEMENTS_MIN * call->element_bytes;
	return b;
}

/* The chunk that a rank gets as its @t-th, from t = 2, and then sends as such. */
static size_t chunk_at(const struct pl_rank *r, size_t t)
{
	return (2 * r->rank + 4 * r->n - (t & ~(size_t)1) + (t & 1)) % (2 * r->n);
}

/* The next message is of that chunk. Gives its bytes. */
static uint64_t of_chunk(const struct pl_rank *r, const struct pl_blocks *b, size_t chunk,
			 enum pl_taking taking)
{
	const struct pl_range part = pl_block_range(b, chunk, 1);

	pl_script_tag(r->s, (uint32_t)(chunk & 1));
	pl_script_data(r->s, part.at, part.bytes ? taking : PL_TAKES_NOTHING);
	return part.bytes ? part.bytes : b->element_bytes;
}

static struct pl_request expect_chunk(const struct pl_rank *r, const struct pl_blocks *b, size_t t)
{
	const enum pl_taking taking = t < 2 * r->n ? PL_ADDS : PL_STORES;
	const uint64_t bytes = of_chunk(r, b, chunk_at(r, t), taking);

	return pl_script_irecv(r->s, (r->rank + r->n - 1) % r->n, bytes);
}

static void notify_and_await(const struct pl_rank *r)
{
	pl_script_tag(r->s, 2); /* the inboxes' are 0 and 1 */
	pl_script_data(r->s, 0, PL_TAKES_NOTHING);
	pl_script_isend(r->s, (r->rank + r->n - 1) % r->n, NOTIFICATION_BYTES);
	pl_script_recv(r->s, (r->rank + 1) % r->n, NOTIFICATION_BYTES);
}

void pl_gloo_ring_chunked(const struct pl_rank *r)
{
	const struct pl_blocks b = chunks_of(&r->comm->call);
	const size_t right = (r->rank + 1) % r->n, end = 4 * r->n - 2;
	struct pl_request in[2] = {expect_chunk(r, &b, 2), expect_chunk(r, &b, 3)};

	for (size_t chunk = 2 * r->rank; chunk < 2 * r->rank + 2; chunk++)
		pl_script_isend(r->s, right, of_chunk(r, &b, chunk, PL_STORES));
	for (size_t t = 2; t < end; t++) {
		const uint64_t bytes = pl_block_bytes(&b, chunk_at(r, t));

		pl_script_wait(r->s, in[t & 1]);
		if (bytes && t < 2 * r->n)
			pl_script_reduce(r->s, bytes);
		else if (bytes)
			pl_script_copy(r->s, bytes);
		if (t >= end - 2)
			continue;
		in[t & 1] = expect_chunk(r, &b, t + 2);
		pl_script_round(r->s, (uint32_t)(t / 2));
		notify_and_await(r);
		pl_script_isend(r->s, right, of_chunk(r, &b, chunk_at(r, t), PL_STORES));
	}
	notify_and_await(r);
}

/* Two chunks are under way, one for each inbox. */
int pl_gloo_ring_chunked_objective(struct pl_shape *shape, const struct pl_algorithm *a,
				   const struct pl_call *call, struct pl_err *err)
{
	(void)a;
	shape->kind = PL_SLOWEST;
	return pl_gloo_add_paced_ring(shape, call->n_pos, false, 2 * (double)(call->n_pos - 1),
				      2 * (double)chunks_of(call).step_bytes, err);
}

/* ---- AllreduceBcube: digits of the rank to base B
 *
 *   N = 8, B = 4
 *   step 0   0=1=2=3 4=5=6=7              a quarter, to each of three others
 *   step 1   0=4 1=5 2=6 3=7              ranks that differ in the next digit
 *   ... and the same in reverse to gather
 *
 * Parts are rounded down and the last of a group gets the rest; with fewer elements than peers each
 * still gets one, so that some elements are sent twice; each part is followed by a notification.
 *
 * Its sums are right only where N is B^k, or that times a number below B (12 by 4, not 12 by 2 or
 * by 3): else ranks that have no group sit steps out, and groups of ranks with unequal pasts divide
 * what their first rank has. Gloo raises no error there, and the pattern shows what it sends all
 * the same.
 */

/* A rank's group in one step: its first rank, its size, the rank's place. */
struct group {
	size_t distance, first, size, mine;
	size_t before; /* peers in the steps before */
};

static struct group group_of(const struct pl_rank *r, size_t rank, unsigned step)
{
	const size_t base = r->comm->call.radix;
	struct group g = {0};

	for (unsigned i = 0; i <= step; i++) {
		g.before += i ? g.size - 1 : 0;
		g.distance = i ? g.distance * base : 1;
		g.mine = rank / g.distance % base;
		g.first = rank - g.mine * g.distance;
		g.size = (r->n - 1 - g.first) / g.distance + 1;
		g.size = g.size < base ? g.size : base;
	}
	return g;
}

/* What @rank answers for after that step. */
static struct pl_range share_of(const struct pl_rank *r, size_t rank, unsigned step)
{
	const struct group g = group_of(r, rank, step);
	const struct pl_range whole =
		step ? share_of(r, g.first, step - 1) : (struct pl_range){0, r->bytes};
	const uint64_t e = r->element_bytes, all = whole.bytes / e;
	const uint64_t count = (all < g.size ? g.size : all) / g.size;
	const uint64_t more = g.mine == g.size - 1 && all >= g.size ? all % g.size : 0;

	return (struct pl_range){(whole.at + g.mine * count * e) % r->bytes, (count + more) * e};
}

/* The peer that is the @k-th after the own place is left out. */
static size_t peer_of(const struct group *g, size_t k)
{
	return g->first + (k + (k >= g->mine)) * g->distance;
}

static void scatter(const struct pl_rank *r, unsigned step, struct pl_request first)
{
	const struct group g = group_of(r, r->rank, step);

	pl_script_round(r->s, step);
	for (size_t k = 0; k + 1 < g.size; k++)
		pl_rank_isend(r, peer_of(&g, k), share_of(r, peer_of(&g, k), step), PL_STORES);
	for (size_t k = 0; k + 1 < g.size; k++) {
		const size_t peer = peer_of(&g, k);

		pl_rank_wait_nth(r, first, g.before + k);
		pl_script_reduce(r->s, share_of(r, r->rank, step).bytes);
		pl_rank_irecv(r, peer, share_of(r, peer, step), PL_STORES);
		pl_gloo_notify(r, peer);
	}
}

static void gather(const struct pl_rank *r, unsigned step, uint32_t round, struct pl_request again)
{
	const struct group g = group_of(r, r->rank, step);

	pl_script_round(r->s, round);
	for (size_t k = 0; k + 1 < g.size; k++) {
		pl_gloo_await(r, peer_of(&g, k));
		pl_rank_isend(r, peer_of(&g, k), share_of(r, r->rank, step), PL_STORES);
	}
	for (size_t k = 0; k + 1 < g.size; k++) {
		pl_rank_wait_nth(r, again, g.before + k);
		pl_script_copy(r->s, share_of(r, peer_of(&g, k), step).bytes);
		if (step == 0)
			pl_gloo_notify(r, peer_of(&g, k));
	}
}

void pl_gloo_bcube_class(const struct pl_rank *r)
{
	const struct group g = group_of(r, r->rank, 0);
	const struct pl_request first = pl_script_next(r->s, false);
	struct pl_request again;
	unsigned n = 0;

	for (size_t reach = 1; reach < r->n; reach *= r->comm->call.radix, n++) {
		const struct group at = group_of(r, r->rank, n);

		for (size_t k = 0; k + 1 < at.size; k++)
			pl_rank_irecv(r, peer_of(&at, k), share_of(r, r->rank, n), PL_ADDS);
	}
	again = pl_script_next(r->s, false);
	for (unsigned step = 0; step < n; step++)
		scatter(r, step, first);
	for (unsigned step = n; step-- > 0;)
		gather(r, step, 2 * n - 1 - step, again);
	for (size_t k = 0; k + 1 < g.size; k++)
		pl_gloo_await(r, peer_of(&g, k));
}

/* ---- one to all, all to one, all to all */

/* The root takes the others in rising order, and awaits an int of each before it sends to that
 * one. */
void pl_gloo_one_to_all(const struct pl_rank *r)
{
	for (size_t peer = 0; peer < r->n; peer++) {
		const size_t other = r->rank == r->root ? peer : r->rank;

		if (other == r->root || (r->rank != r->root && peer != r->root))
			continue;
		pl_script_round(r->s, (uint32_t)(other - (other > r->root)));
		if (r->rank == r->root) {
			pl_gloo_await(r, peer);
			pl_script_isend(r->s, peer, r->bytes);
		} else {
			pl_gloo_notify(r, peer);
			pl_script_recv(r->s, peer, r->bytes);
		}
	}
}

void pl_gloo_all_to_all(const struct pl_rank *r)
{
	for (size_t peer = 0; peer < r->n; peer++)
		if (peer != r->rank)
			pl_gloo_notify(r, peer);
	for (size_t peer = 0; peer < r->n; peer++)
		if (peer != r->rank)
			pl_gloo_await(r, peer);
}

void pl_gloo_all_to_one(const struct pl_rank *r)
{
	if (r->rank != 0) {
		pl_gloo_notify(r, 0);
		pl_gloo_await(r, 0);
		return;
	}
	for (size_t peer = 1; peer < r->n; peer++)
		pl_gloo_await(r, peer);
	pl_script_round(r->s, 1);
	for (size_t peer = 1; peer < r->n; peer++)
		pl_gloo_notify(r, peer);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi-kernels.c - what a rank does in Open MPI and in no other library */
#include "config.h"

#include "costmodels/openmpi.h"

#include <string.h>

/* ---- one rank to all, all to one */

/* The root posts all at once, in the order of the ranks. */
void pl_openmpi_broadcast_linear(const struct pl_rank *r)
{
	pl_script_data(r->s, 0, PL_STORES);
	if (r->rank != r->root)
		pl_script_recv(r->s, r->root, r->bytes);
	for (size_t dst = 0; r->rank == r->root && dst < r->n; dst++)
		if (dst != r->root)
			pl_script_isend(r->s, dst, r->bytes);
	pl_script_wait_all(r->s);
}

/* The last rank first, each received and added before the root looks at the next. */
void pl_openmpi_reduce_linear(const struct pl_rank *r)
{
	pl_script_data(r->s, 0, PL_ADDS);
	if (r->rank != r->root) {
		pl_script_send(r->s, r->root, r->bytes);
		return;
	}
	for (size_t src = r->n; src-- > 0;) {
		if (src != r->root)
			pl_script_recv(r->s, src, r->bytes);
		else if (src == r->n - 1)
			pl_script_copy(r->s, r->bytes);
		if (src != r->n - 1)
			pl_script_reduce(r->s, r->bytes);
	}
}

/* All report to rank 0 in any order, which releases them in rank order. */
void pl_openmpi_barrier_linear(const struct pl_rank *r)
{
	if (r->rank > 0) {
		pl_script_send(r->s, 0, 0);
		pl_script_recv(r->s, 0, 0);
		return;
	}
	for (size_t rank = 1; rank < r->n; rank++)
		pl_script_irecv(r->s, rank, 0);
	pl_script_wait_all(r->s);
	pl_script_round(r->s, 1);
	for (size_t rank = 1; rank < r->n; rank++)
		pl_script_send(r->s, rank, 0);
}

/* The bytes of a rank and of those below it, in the tree whose ranks lack their children's lowest
 * bits. */
static uint64_t subtree_bytes(const struct pl_rank *r, size_t rank, uint64_t block)
{
	const size_t below = rank & -rank;

	return (below < r->n - rank ? below : r->n - rank) * block;
}

static void gather_binomial(const struct pl_rank *r)
{
	if (r->rank % 2 == 0)
		pl_script_copy(r->s, r->bytes);
	for (size_t bit = 1; bit < r->n; bit *= 2) {
		if (r->rank & bit) {
			pl_script_round(r->s, pl_log2(bit));
			pl_script_send(r->s, r->rank - bit, subtree_bytes(r, r->rank, r->bytes));
			return;
		}
		if (r->rank + bit < r->n)
			pl_script_recv(r->s, r->rank + bit,
				       subtree_bytes(r, r->rank + bit, r->bytes));
	}
}

/* Rank 0 asks one rank after the other with an empty message, gets its block, and an empty second
 * part behind it, which it waits for only at the end. Rounds: asking and answering. */
static void gather_sync(const struct pl_rank *r)
{
	if (r->rank > 0) {
		pl_script_recv(r->s, 0, 0);
		pl_script_round(r->s, (uint32_t)(2 * r->rank - 1));
		pl_script_send(r->s, 0, r->bytes);
		pl_script_send(r->s, 0, 0);
		return;
	}
	for (size_t src = 1; src < r->n; src++) {
		const struct pl_request block = pl_script_irecv(r->s, src, r->bytes);

		pl_script_round(r->s, (uint32_t)(2 * (src - 1)));
		pl_script_send(r->s, src, 0);
		pl_script_irecv(r->s, src, 0);
		pl_script_wait(r->s, block);
	}
	pl_script_copy(r->s, r->bytes);
	pl_script_wait_all(r->s);
}

void pl_openmpi_gather_blocks(const struct pl_rank *r)
{
	const struct pl_openmpi_name rule = pl_openmpi_gather_rule(r->n, r->bytes);

	if (strcmp(rule.text, "binomial") == 0) {
		gather_binomial(r);
	} else if (strcmp(rule.text, "linear") != 0) {
		gather_sync(r);
	} else if (r->rank > 0) {
		pl_script_send(r->s, 0, r->bytes);
	} else {
		pl_script_copy(r->s, r->bytes);
		for (size_t src = 1; src < r->n; src++)
			pl_script_recv(r->s, src, r->bytes);
	}
}

/* Down the binomial tree, the largest subtree first. */
static void scatter_binomial(const struct pl_rank *r, uint64_t block)
{
	const size_t lowest = r->rank & -r->rank;
	size_t bit = 1;

	while (r->rank ? bit < lowest : bit < r->n)
		bit *= 2;
	if (r->rank > 0)
		pl_script_recv(r->s, r->rank - lowest, subtree_bytes(r, r->rank, block));
	if (r->rank % 2 == 0)
		pl_script_copy(r->s, block);
	pl_script_round(r->s, (uint32_t)__builtin_popcountll(r->rank));
	while ((bit /= 2) > 0)
		if (r->rank + bit < r->n)
			pl_script_send(r->s, r->rank + bit, subtree_bytes(r, r->rank + bit, block));
}

/* From rank 0: linear, linear without waiting (linear-nb), or binomial, by the bytes of a block. */
void pl_openmpi_scatter(const struct pl_rank *r)
{
	const uint64_t block = r->bytes / r->n;
	const struct pl_openmpi_name rule = pl_openmpi_scatter_rule(r->n, block);

	if (strcmp(rule.text, "binomial") == 0) {
		scatter_binomial(r, block);
	} else if (r->rank > 0) {
		pl_script_recv(r->s, 0, block);
	} else {
		pl_script_copy(r->s, block);
		for (size_t rank = 1; rank < r->n; rank++)
			if (strcmp(rule.text, "linear") == 0)
				pl_script_send(r->s, rank, block);
			else
				pl_script_isend(r->s, rank, block);
	}
}

/* MPI_Scatterv of coll/basic, which coll/tuned does not replace: leaves out empty blocks. */
void pl_openmpi_scatterv(const struct pl_rank *r)
{
	const struct pl_blocks b = pl_rank_blocks(r);

	if (r->rank > 0 && pl_block_bytes(&b, r->rank) > 0)
		pl_script_recv(r->s, 0, pl_block_bytes(&b, r->rank));
	if (r->rank > 0)
		return;
	pl_script_copy(r->s, pl_block_bytes(&b, 0));
	for (size_t rank = 1; rank < r->n; rank++)
		if (pl_block_bytes(&b, rank) > 0)
			pl_script_send(r->s, rank, pl_block_bytes(&b, rank));
}

/* ---- rings that post a receive ahead: before what the step before has brought is waited for */

/* Elements in a segment of the ring: all where none is set that is shorter. */
uint64_t pl_openmpi_ring_segment(const struct pl_call *call)
{
	const uint64_t segment = call->segment_bytes, element = call->element_bytes;

	if (segment < element || segment >= call->bytes)
		return call->bytes / element;
	return segment / element + (segment % element > element / 2);
}

/* Of a block, its part in one of several turns of the ring. */
static struct pl_range part_of_turn(const struct pl_blocks *b, size_t block, size_t n_turns,
				    size_t turn)
{
	const struct pl_range whole = pl_block_range(b, block, 1);
	const struct pl_call call = {.bytes = whole.bytes, .element_bytes = b->element_bytes};
	const struct pl_blocks parts = pl_blocks_even(&call, n_turns);
	struct pl_range part = pl_block_range(&parts, turn, 1);

	part.at += whole.at;
	return part;
}

struct turn {
	struct pl_blocks blocks;
	size_t first; /* the block that is sent first */
	size_t number, n_turns;
};

/* In step k the rank sends block first - k. */
static void reduce_turn(const struct pl_rank *r, const struct turn *t, enum pl_taking taking)
{
	const size_t n = r->n, next = (r->rank + 1) % n, prev = (r->rank + n - 1) % n;
	struct pl_request in = {0};

	for (size_t k = 0; k < n; k++) {
		const struct pl_range out =
			part_of_turn(&t->blocks, (t->first + n - k) % n, t->n_turns, t->number);
		const struct pl_range after = part_of_turn(
			&t->blocks, (t->first + 2 * n - 1 - k) % n, t->n_turns, t->number);
		struct pl_request ahead = {0};

		pl_script_data(r->s, after.at, taking);
		if (k < n - 1)
			ahead = pl_script_irecv(r->s, prev, after.bytes);
		if (k > 0) {
			pl_script_wait(r->s, in);
			pl_script_reduce(r->s, out.bytes);
		}
		pl_script_round(r->s, (uint32_t)(t->number * (n - 1) + k));
		pl_script_data(r->s, out.at, taking);
		if (k < n - 1)
			pl_script_send(r->s, next, out.bytes);
		in = ahead;
	}
}

/* The number of turns is the whole multiples of N segments in the buffer, one more where over half
 * of one is left; blocks are then cut evenly, so segments may be longer than asked for. */
static size_t n_turns(const struct pl_rank *r)
{
	const uint64_t count = r->bytes / r->element_bytes;
	const uint64_t turn = r->n * pl_openmpi_ring_segment(&r->comm->call);

	if (!r->a->takes_segment || count < turn)
		return 1;
	return (size_t)(count / turn) + (count % turn >= r->n && count % turn > turn / 2);
}

void pl_openmpi_allreduce_ring(const struct pl_rank *r)
{
	struct turn t = {pl_rank_blocks(r), r->rank, 0, n_turns(r)};

	pl_script_copy(r->s, r->bytes);
	for (; t.number < t.n_turns; t.number++)
		reduce_turn(r, &t, PL_ADDS);
	pl_ring_lap(r, (struct pl_lap){.blocks = t.blocks,
				       .block = (r->rank + 1) % r->n,
				       .n_steps = r->n - 1,
				       .round = (uint32_t)(t.n_turns * (r->n - 1)),
				       .taking = PL_STORES});
}

void pl_openmpi_reduce_scatter_ring(const struct pl_rank *r)
{
	const struct turn t = {pl_rank_blocks(r), (r->rank + r->n - 1) % r->n, 0, 1};

	pl_script_copy(r->s, r->bytes);
	reduce_turn(r, &t, PL_TAKES_NOTHING);
	pl_script_copy(r->s, pl_block_bytes(&t.blocks, r->rank));
}

/* ---- all-gathers and broadcasts */

/* Whom @rank exchanges with in the even (0) and the odd (1) rounds. */
static size_t neighbor(size_t n, size_t rank, size_t odd)
{
	return (rank % 2 == odd ? rank + 1 : rank + n - 1) % n;
}

/* One block in round 0, then the two that came in the round before. */
void pl_openmpi_gather_neighbor(const struct pl_rank *r)
{
	pl_script_copy(r->s, r->bytes);
	for (size_t i = 0; i < r->n / 2; i++) {
		const struct pl_range blocks = {0, (i ? 2 : 1) * r->bytes};

		pl_script_round(r->s, (uint32_t)i);
		pl_rank_trade(r, neighbor(r->n, r->rank, i % 2), blocks, blocks, PL_TAKES_NOTHING);
	}
}

/* Two matchings, taken in turn: for each its dearest pair, as often as it has rounds. */
int pl_openmpi_neighbor_objective(struct pl_shape *shape, const struct pl_algorithm *a,
				  const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos, rounds[2] = {(n / 2 + 1) / 2, n / 4};

	(void)a;
	(void)err;
	shape->kind = PL_SUM_OF_MAXIMA;
	for (size_t i = 0; i < 2 * n; i++) {
		const size_t rank = i / 2, odd = i % 2;
		const double blocks = (double)(2 * rounds[odd] - (odd ? 0 : 1));
		const struct pl_hop hop = {
			.src = (uint32_t)rank,
			.dst = (uint32_t)neighbor(n, rank, odd),
			.group = (uint32_t)odd,
			.times = (double)rounds[odd],
			.bytes = blocks * (double)call->bytes / (double)rounds[odd],
		};

		if (rounds[odd] > 0)
			pl_shape_put(shape, hop);
	}
	return 0;
}

/* Two ranks; the own block is copied after it. */
void pl_openmpi_trade_two(const struct pl_rank *r)
{
	const struct pl_range block = {0, r->a->collective == PL_BARRIER ? 0 : r->bytes};

	pl_rank_trade(r, 1 - r->rank, block, block, PL_TAKES_NOTHING);
	pl_script_copy(r->s, block.bytes);
}

/* The textbooks' recursive doubling wants a power of two; this one does not. */
void pl_openmpi_broadcast_scatter(const struct pl_rank *r)
{
	pl_scatter_gather(r, pl_blocks_up(&r->comm->call, r->n));
}

/* ---- reduce-scatter by a butterfly
 *
 *   0<->1   2<->3      distance 1, half of the input
 *   0<----->2          distance 2, a quarter
 *       1<----->3
 *       1<->2          ranks whose numbers have their bits mirrored have one another's block, swap
 *
 * The order of the distances is the reverse of recursive halving's. Folded ranks: who has the block
 * of a rank that stays out sends it to it directly. Of MPI_Reduce_scatter_block, where N is a power
 * of two, blocks are mirrored in a copy first, and there is no need to swap.
 */

static size_t mirrored(const struct pl_fold *f, size_t folded)
{
	size_t image = 0;

	for (size_t bit = 1; bit < f->n; bit *= 2, folded /= 2)
		image = image * 2 + folded % 2;
	return image;
}

/* Every block to the rank it is for. */
static void unmix(const struct pl_rank *r, const struct pl_fold *f, const struct pl_blocks *b,
		  uint32_t round)
{
	const size_t folded = pl_fold_number(f, r->rank), other = mirrored(f, folded);
	const size_t peer = pl_fold_rank(f, other);
	const struct pl_range mine = {0, pl_block_bytes(b, r->rank)};

	pl_script_round(r->s, round);
	if (other < f->extra)
		pl_script_send(r->s, peer - 1, pl_block_bytes(b, peer - 1));
	pl_script_round(r->s, round + (f->extra > 0));
	if (other != folded)
		pl_rank_trade(r, peer, (struct pl_range){0, pl_block_bytes(b, peer)}, mine,
			      PL_TAKES_NOTHING);
	else
		pl_script_copy(r->s, mine.bytes);
}

void pl_openmpi_butterfly(const struct pl_rank *r)
{
	const struct pl_fold f = pl_fold(r->n, PL_ODD_STAYS);
	const bool copies = f.extra == 0 && r->a->check == pl_check_equal_blocks;
	const size_t folded = pl_fold_number(&f, r->rank);
	const struct pl_blocks b = pl_rank_blocks(r);
	struct pl_halving h;
	uint32_t round;

	pl_script_copy(r->s, r->bytes);
	pl_fold_in(r, &f);
	if (folded == SIZE_MAX) {
		pl_script_recv(r->s, pl_fold_rank(&f, mirrored(&f, r->rank / 2)),
			       pl_block_bytes(&b, r->rank));
		return;
	}
	h = pl_halving(r, &f, folded, PL_HALVE_RANKS, false);
	round = pl_halve(r, &h, f.extra > 0, PL_TAKES_NOTHING);
	if (copies)
		pl_script_copy(r->s, pl_block_bytes(&b, r->rank));
	else
		unmix(r, &f, &b, round);
}

/* ---- barriers */

/* Twice round; the second turn goes out by synchronous sends: each ends only when the next rank has
 * answered, which none but the sender waits for. */
void pl_openmpi_barrier_double_ring(const struct pl_rank *r)
{
	const size_t n = r->n, next = (r->rank + 1) % n, prev = (r->rank + n - 1) % n;

	for (size_t turn = 0; turn < 2; turn++) {
		if (r->rank > 0)
			pl_script_recv(r->s, prev, 0);
		pl_script_round(r->s, (uint32_t)(turn * n + r->rank));
		pl_script_wait(r->s, turn ? pl_script_issend(r->s, next, 0)
					  : pl_script_isend(r->s, next, 0));
		if (r->rank == 0)
			pl_script_recv(r->s, prev, 0);
	}
}

/* Unlike in an all-reduce the last ranks stay out, not every second one; a synchronous send
 * releases them. */
void pl_openmpi_barrier_doubling(const struct pl_rank *r)
{
	const struct pl_fold f = pl_fold(r->n, PL_FIRST_STAY);
	const size_t partner = pl_fold_partner(&f, r->rank);
	const struct pl_range none = {0, 0};
	uint32_t round = f.extra > 0;

	if (r->rank >= f.n) {
		pl_rank_trade(r, partner, none, none, PL_TAKES_NOTHING);
		return;
	}
	if (partner != SIZE_MAX)
		pl_script_recv(r->s, partner, 0);
	for (size_t distance = 1; distance < f.n; distance *= 2) {
		pl_script_round(r->s, round++);
		pl_rank_trade(r, r->rank ^ distance, none, none, PL_TAKES_NOTHING);
	}
	pl_script_round(r->s, round);
	if (partner != SIZE_MAX)
		pl_script_wait(r->s, pl_script_issend(r->s, partner, 0));
}

/* Up a binomial tree, the nearest child first, and down again, the farthest first. */
void pl_openmpi_barrier_tree(const struct pl_rank *r)
{
	const uint32_t levels = pl_log2(r->n - 1) + 1;

	for (uint32_t i = 0; i < 2 * levels; i++) {
		const bool down = i >= levels;
		const size_t distance = (size_t)1 << (down ? 2 * levels - 1 - i : i);
		const size_t peer = r->rank ^ distance;

		if (r->rank % distance || peer >= r->n)
			continue;
		pl_script_round(r->s, i);
		if ((peer > r->rank) == down)
			pl_script_send(r->s, peer, 0);
		else
			pl_script_recv(r->s, peer, 0);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* kernels.c - collectives as kernels: what one rank of a communicator calls, in flavours */
#include "config.h"

#include "costmodels/kernels.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The contribution, to where the result will be. */
static void copy_in(const struct pl_rank *r)
{
	if (!r->comm->in_place && !(r->a->how & PL_IN_PLACE))
		pl_script_copy(r->s, r->bytes);
}

/* ---- halving */

static struct pl_range half(struct pl_range part, uint64_t element_bytes, bool upper)
{
	const uint64_t lower = part.bytes / element_bytes / 2 * element_bytes;

	if (upper)
		return (struct pl_range){part.at + lower, part.bytes - lower};
	return (struct pl_range){part.at, lower};
}

/* The blocks of the folded ranks from @first on. */
static struct pl_range of_folded(const struct pl_rank *r, const struct pl_fold *f,
				 enum pl_halves halves, size_t first, size_t n)
{
	const struct pl_blocks folded = pl_blocks_even(&r->comm->call, f->n);
	const struct pl_blocks all = pl_rank_blocks(r);
	size_t from;

	if (halves == PL_HALVE_BLOCKS)
		return pl_block_range(&folded, first, n);
	from = pl_fold_first(f, first);
	return pl_block_range(&all, from, pl_fold_first(f, first + n) - from);
}

struct pl_halving pl_halving(const struct pl_rank *r, const struct pl_fold *f, size_t folded,
			     enum pl_halves halves, bool farthest)
{
	struct pl_halving h = {.n = pl_log2(f->n)};
	struct pl_range part = {0, r->bytes};
	size_t first = 0, n = f->n;

	for (size_t i = 0; i < h.n; i++) {
		const size_t distance = farthest ? f->n >> (i + 1) : (size_t)1 << i;
		const bool upper = folded & distance;

		n /= 2;
		h.peer[i] = pl_fold_rank(f, folded ^ distance);
		if (halves == PL_HALVE_ELEMENTS) {
			h.kept[i] = half(part, r->element_bytes, upper);
			h.given[i] = half(part, r->element_bytes, !upper);
			part = h.kept[i];
			continue;
		}
		h.kept[i] = of_folded(r, f, halves, first + (upper ? n : 0), n);
		h.given[i] = of_folded(r, f, halves, first + (upper ? 0 : n), n);
		first += upper ? n : 0;
	}
	return h;
}

uint32_t pl_halve(const struct pl_rank *r, const struct pl_halving *h, uint32_t round,
		  enum pl_taking taking)
{
	for (size_t i = 0; i < h->n; i++) {
		pl_script_round(r->s, round++);
		pl_rank_trade(r, h->peer[i], h->given[i], h->kept[i], taking);
		if (h->kept[i].bytes || !(r->a->how & PL_SENDS_FIRST))
			pl_script_reduce(r->s, h->kept[i].bytes);
	}
	return round;
}

uint32_t pl_unhalve(const struct pl_rank *r, const struct pl_halving *h, uint32_t round)
{
	for (size_t i = h->n; i-- > 0;) {
		pl_script_round(r->s, round++);
		pl_rank_trade(r, h->peer[i], h->kept[i], h->given[i], PL_STORES);
	}
	return round;
}

/* ---- kernels of which others are made */

uint32_t pl_ring_lap(const struct pl_rank *r, struct pl_lap lap)
{
	struct pl_range out = pl_block_range(&lap.blocks, lap.block, 1);

	for (size_t i = 0; i < lap.n_steps; i++) {
		const size_t up = lap.block ? lap.block : r->n;
		const size_t next = !lap.down ? up - 1 : lap.block + 1 < r->n ? lap.block + 1 : 0;
		const struct pl_range in = pl_block_range(&lap.blocks, next, 1);

		pl_script_round(r->s, lap.round++);
		pl_rank_shift(r, lap.down ? r->n - 1 : 1, out, in, lap.taking);
		if (lap.taking == PL_ADDS)
			pl_script_reduce(r->s, in.bytes);
		lap.block = next;
		out = in;
	}
	return lap.round;
}

/* What the group of @size ranks from @first on has to exchange. */
static struct pl_range of_group(const struct pl_rank *r, const struct pl_blocks *b, size_t first,
				size_t size)
{
	struct pl_range range = pl_block_range(b, first, size);

	if (r->a->collective == PL_REDUCE_SCATTER)
		range = (struct pl_range){0, r->bytes - range.bytes};
	return range;
}

/* Of this rank's group of @size the first @have have what the rest lacks. Is the rank one that gets
 * it here? */
static bool pass_on(const struct pl_rank *r, size_t size, size_t have, uint64_t bytes,
		    uint32_t round)
{
	bool got = false;

	for (size_t half = size / 2; half > 0; half /= 2) {
		const size_t peer = r->me ^ half;
		const size_t limit = r->me / (2 * half) * (2 * half) + have;

		pl_script_round(r->s, round++);
		if (r->me < limit && peer >= limit) {
			pl_script_send(r->s, pl_rank_behind(r, peer), bytes);
		} else if (r->me >= limit && peer < limit) {
			pl_script_recv(r->s, pl_rank_behind(r, peer), bytes);
			got = true;
		}
	}
	return got;
}

static void double_step(const struct pl_rank *r, const struct pl_blocks *b, size_t size,
			uint32_t round)
{
	const size_t peer = r->me ^ size;
	const size_t mine = r->me / size * size, other = peer / size * size;
	const struct pl_range in = of_group(r, b, other, size);
	const bool reduces = r->a->collective == PL_REDUCE_SCATTER;
	const enum pl_taking taking = pl_rank_taking(r, PL_STORES);
	bool got = peer < r->n;

	pl_script_round(r->s, round);
	if (got)
		pl_rank_trade(r, pl_rank_behind(r, peer), of_group(r, b, mine, size), in, taking);
	pl_script_data(r->s, in.at, taking);
	if (other + size > r->n && other < r->n)
		got |= pass_on(r, size, r->n - other, in.bytes, round + 1);
	if (reduces && got)
		pl_script_reduce(r->s, in.bytes);
}

void pl_double_up(const struct pl_rank *r, const struct pl_blocks *b, uint32_t round)
{
	const bool as_needed = r->a->how & PL_ROUNDS_AS_NEEDED;

	for (size_t size = 1; size < r->n; size *= 2) {
		const bool lacks = as_needed ? r->n % (2 * size) > size : !pl_is_power_of_two(r->n);

		double_step(r, b, size, round);
		round += 1 + (lacks ? pl_log2(size) : 0);
	}
}

/* Down the tree in which a rank's children add a bit below its lowest one, the farthest first: the
 * blocks of all below; or, without blocks, the whole buffer. */
static uint32_t go_down(const struct pl_rank *r, const struct pl_blocks *b)
{
	uint32_t round = 0;
	size_t bit = 1;

	while (bit < r->n)
		bit *= 2;
	while ((bit /= 2) > 0) {
		const struct pl_range all = {0, r->bytes};
		const struct pl_range part = b ? pl_block_range(b, r->me | bit, bit) : all;

		pl_script_round(r->s, round++);
		if (r->me % bit || !part.bytes)
			continue;
		if (r->me & bit)
			pl_rank_recv(r, pl_rank_behind(r, r->me - bit), part, PL_STORES);
		else if (r->me + bit < r->n)
			pl_rank_send(r, pl_rank_behind(r, r->me + bit), part, PL_STORES);
	}
	return round;
}

void pl_scatter_gather(const struct pl_rank *r, struct pl_blocks b)
{
	const uint32_t round = go_down(r, &b);

	if (r->a->how & PL_GATHERS_IN_RING)
		pl_ring_lap(r, (struct pl_lap){b, r->me, r->n - 1, round, false, PL_STORES});
	else
		pl_double_up(r, &b, round);
}

/* ---- kernels */

void pl_kernel_broadcast_binomial(const struct pl_rank *r)
{
	go_down(r, NULL);
}

void pl_kernel_gather_ring(const struct pl_rank *r)
{
	pl_script_copy(r->s, r->bytes);
	pl_ring_lap(r, (struct pl_lap){.blocks = pl_rank_blocks(r),
				       .block = r->rank,
				       .n_steps = r->n - 1,
				       .taking = pl_rank_taking(r, PL_STORES)});
}

void pl_gather_bruck(const struct pl_rank *r, const struct pl_blocks *b, uint32_t round)
{
	const size_t n = r->n;

	pl_script_copy(r->s, pl_block_bytes(b, r->rank));
	for (size_t has = 1; has < n; has *= 2) {
		const size_t more = least(has, n - has);

		pl_script_round(r->s, round++);
		pl_rank_shift(r, n - has, pl_block_range_round(b, r->rank, more),
			      pl_block_range_round(b, r->rank + has, more),
			      pl_rank_taking(r, PL_STORES));
	}
	if (r->a->how & PL_TURNS_IN_PLACE)
		pl_script_copy(r->s, 2 * b->bytes);
	else if (!(r->a->how & PL_TURNS_PART))
		pl_script_copy(r->s, b->bytes);
	else if (r->rank > 0)
		pl_script_copy(r->s, 2 * b->bytes - pl_block_at(b, r->rank));
}

void pl_kernel_gather_bruck(const struct pl_rank *r)
{
	const struct pl_blocks b = pl_rank_blocks(r);

	pl_gather_bruck(r, &b, 0);
}

void pl_kernel_doubling(const struct pl_rank *r)
{
	const struct pl_blocks b = pl_rank_blocks(r);

	pl_script_copy(r->s, r->bytes);
	pl_double_up(r, &b, 0);
	if (r->a->how & PL_OWN_LAST)
		pl_script_copy(r->s, pl_block_bytes(&b, r->rank));
}

void pl_kernel_pairwise(const struct pl_rank *r)
{
	const bool pairs = r->a->how & PL_PAIRS && pl_is_power_of_two(r->n);
	const bool last = r->a->how & PL_OWN_LAST;
	const struct pl_blocks b = pl_rank_blocks(r);
	const struct pl_range own = {0, pl_block_bytes(&b, r->rank)};

	if (!last)
		pl_script_copy(r->s, own.bytes);
	for (size_t i = 1; i < r->n; i++) {
		const size_t dst = pairs ? r->rank ^ i : (r->rank + i) % r->n;
		const size_t src = pairs ? dst : (r->rank + r->n - i) % r->n;

		pl_script_round(r->s, (uint32_t)i - 1);
		pl_rank_swap(r, dst, src, (struct pl_range){0, pl_block_bytes(&b, dst)}, own,
			     PL_TAKES_NOTHING);
		if (r->a->collective == PL_REDUCE_SCATTER)
			pl_script_reduce(r->s, own.bytes);
	}
	if (last)
		pl_script_copy(r->s, own.bytes);
}

/* How many of @n numbered blocks have that bit in their number. */
static size_t blocks_with_bit(size_t n, size_t bit)
{
	size_t blocks = 0;

	for (size_t i = bit; i < n; i += 2 * bit)
		blocks += least(bit, n - i);
	return blocks;
}

void pl_kernel_alltoall_bruck(const struct pl_rank *r)
{
	const bool packs = r->a->how & PL_PACKS;
	const size_t n = r->n;
	uint32_t round = 0;

	pl_script_copy(r->s, n * r->bytes);
	for (size_t distance = 1; distance < n; distance *= 2) {
		const struct pl_range blocks = {0, blocks_with_bit(n, distance) * r->bytes};

		pl_script_round(r->s, round++);
		if (packs)
			pl_script_copy(r->s, blocks.bytes);
		pl_rank_shift(r, distance, blocks, blocks, PL_TAKES_NOTHING);
		if (!packs)
			pl_script_copy(r->s, blocks.bytes);
	}
	pl_script_copy(r->s, (packs ? 2 : 1) * n * r->bytes);
}

void pl_kernel_all_at_once(const struct pl_rank *r)
{
	const size_t n = r->n, at_once = r->a->radix ? r->a->radix : n;
	const bool up = r->a->how & PL_UPWARDS, in_turn = r->a->how & PL_IN_TURN;

	if (!(r->a->how & PL_OWN_STAYS))
		pl_script_copy(r->s, r->bytes);
	for (size_t from = 0; from < n; from += at_once) {
		const size_t first = from ? from : 1, end = least(from + at_once, n);

		pl_script_round(r->s, (uint32_t)(from / at_once));
		for (size_t i = first; i < end; i++) {
			if (in_turn)
				pl_script_isend(r->s, (r->rank + i) % n, r->bytes);
			pl_script_irecv(r->s, (r->rank + (up ? n - i : i)) % n, r->bytes);
		}
		for (size_t i = first; !in_turn && i < end; i++)
			pl_script_isend(r->s, (r->rank + (up ? i : n - i)) % n, r->bytes);
		pl_script_wait_all(r->s);
	}
}

void pl_kernel_dissemination(const struct pl_rank *r)
{
	const struct pl_range none = {0, 0};
	uint32_t round = 0;

	for (size_t distance = 1; distance < r->n; distance *= 2) {
		pl_script_round(r->s, round++);
		pl_rank_shift(r, distance, none, none, PL_TAKES_NOTHING);
	}
}

void pl_kernel_reduce_doubling(const struct pl_rank *r)
{
	const struct pl_fold fold = pl_fold(r->n, PL_ODD_STAYS);
	const size_t folded = pl_fold_number(&fold, r->rank);
	uint32_t round = fold.extra > 0;

	pl_script_data(r->s, 0, PL_ADDS);
	copy_in(r);
	pl_fold_in(r, &fold);
	for (size_t distance = 1; distance < fold.n; distance *= 2, round++) {
		const struct pl_range all = {0, r->bytes};
		size_t peer;

		if (folded == SIZE_MAX)
			continue;
		peer = pl_fold_rank(&fold, folded ^ distance);
		pl_script_round(r->s, round);
		pl_rank_trade(r, peer, all, all, PL_ADDS);
		pl_script_reduce(r->s, r->bytes);
	}
	pl_fold_out(r, &fold, round);
}

/* Both of a pair add up one half of their buffers; who stays in gets the other's. */
static void share(const struct pl_rank *r, const struct pl_fold *f)
{
	const size_t partner = pl_fold_partner(f, r->rank);
	const struct pl_range all = {0, r->bytes};
	const bool upper = r->rank > partner;
	const struct pl_range mine = half(all, r->element_bytes, upper);
	const struct pl_range other = half(all, r->element_bytes, !upper);

	if (partner == SIZE_MAX)
		return;
	pl_rank_trade(r, partner, other, mine, PL_ADDS);
	pl_script_reduce(r->s, mine.bytes);
	pl_script_round(r->s, 1);
	if (pl_fold_number(f, r->rank) == SIZE_MAX) {
		pl_rank_send(r, partner, mine, PL_STORES);
	} else {
		pl_rank_recv(r, partner, other, PL_STORES);
	}
}

/* What follows the halving in a reduce. A root that stayed out takes the place of the first rank,
 * and what that has. */
static void gather_to_root(const struct pl_rank *r, const struct pl_fold *f, size_t folded,
			   struct pl_halving *h, uint32_t round)
{
	size_t root = pl_fold_number(f, r->root);
	const bool replaces = root == SIZE_MAX;

	pl_script_round(r->s, round);
	if (replaces && folded == 0) {
		pl_rank_send(r, r->root, (struct pl_range){0, h->kept[h->n - 1].bytes}, PL_STORES);
		return;
	}
	if (replaces && r->rank == r->root) {
		const enum pl_halves halves =
			r->a->how & PL_HALVES_ELEMENTS ? PL_HALVE_ELEMENTS : PL_HALVE_BLOCKS;

		*h = pl_halving(r, f, folded = 0, halves, false);
		pl_rank_recv(r, 0, (struct pl_range){0, h->kept[h->n - 1].bytes}, PL_STORES);
	}
	if (replaces)
		root = 0;
	round += replaces;
	for (size_t i = h->n; folded != SIZE_MAX && i-- > 0; round++) {
		const size_t other = folded ^ (size_t)1 << i;
		const size_t peer = replaces && other == 0 ? r->root : h->peer[i];

		pl_script_round(r->s, round);
		if (other >> i == root >> i) {
			pl_rank_send(r, peer, h->kept[i], PL_STORES);
			return;
		}
		pl_rank_recv(r, peer, h->given[i], PL_STORES);
	}
}

void pl_kernel_rabenseifner(const struct pl_rank *r)
{
	const bool elements = r->a->how & PL_HALVES_ELEMENTS, shares = r->a->how & PL_PAIRS_SHARE;
	const struct pl_fold fold = pl_fold(r->n, r->a->folding);
	const size_t folded = pl_fold_number(&fold, r->rank);
	uint32_t round = fold.extra ? 1 + shares : 0;
	struct pl_halving h = {0};

	pl_script_data(r->s, 0, PL_ADDS);
	copy_in(r);
	if (shares)
		share(r, &fold);
	else
		pl_fold_in(r, &fold);
	h.n = pl_log2(fold.n);
	if (folded != SIZE_MAX)
		h = pl_halving(r, &fold, folded, elements ? PL_HALVE_ELEMENTS : PL_HALVE_BLOCKS,
			       false);
	if (r->a->collective == PL_REDUCE) {
		if (folded != SIZE_MAX)
			pl_halve(r, &h, round, PL_ADDS);
		gather_to_root(r, &fold, folded, &h, round + (uint32_t)h.n);
		return;
	}
	if (folded != SIZE_MAX)
		round = pl_unhalve(r, &h, pl_halve(r, &h, round, PL_ADDS));
	pl_fold_out(r, &fold, round);
}

uint32_t pl_scatter_halving(const struct pl_rank *r)
{
	const struct pl_fold fold = pl_fold(r->n, r->a->folding);
	const size_t partner = pl_fold_partner(&fold, r->rank);
	const size_t folded = pl_fold_number(&fold, r->rank);
	const struct pl_blocks b = pl_rank_blocks(r);
	const struct pl_range own = pl_block_range(&b, r->rank, 1);
	const bool last = r->a->how & PL_OWN_LAST;
	const enum pl_taking stores = pl_rank_taking(r, PL_STORES);
	uint32_t round = (fold.extra > 0) + pl_log2(fold.n);

	pl_script_data(r->s, 0, pl_rank_taking(r, PL_ADDS));
	copy_in(r);
	pl_fold_in(r, &fold);
	pl_script_round(r->s, round);
	if (folded == SIZE_MAX && own.bytes) {
		pl_rank_recv(r, partner, own, stores);
	} else if (folded != SIZE_MAX) {
		const struct pl_halving h = pl_halving(r, &fold, folded, PL_HALVE_RANKS, true);
		const struct pl_range other = pl_block_range(&b, partner, 1);

		pl_halve(r, &h, fold.extra > 0, pl_rank_taking(r, PL_ADDS));
		if (!last)
			pl_script_copy(r->s, own.bytes);
		pl_script_round(r->s, round);
		if (partner != SIZE_MAX && other.bytes)
			pl_rank_send(r, partner, other, stores);
		if (last)
			pl_script_copy(r->s, own.bytes);
	}
	return round + (fold.extra > 0);
}

void pl_kernel_halving(const struct pl_rank *r)
{
	pl_scatter_halving(r);
}

/* A rank's group in one round, in blocks: those that it divides, at most so many to a part. */
struct group {
	size_t size, apart, first, mine;
	size_t at, length, part;
};

static struct pl_range part_of(const struct group *g, const struct pl_blocks *b, size_t i)
{
	const size_t at = least(i * g->part, g->length);

	return pl_block_range(b, g->at + at, least(g->part, g->length - at));
}

unsigned pl_bcube_groups(size_t group[64], size_t n, size_t base)
{
	unsigned rounds = 0;

	for (; n > 1; n /= group[rounds++])
		group[rounds] = n % base == 0 ? base : n;
	return rounds;
}

static unsigned find_groups(const struct pl_rank *r, size_t n_blocks, struct group *g)
{
	const struct pl_call *call = &r->comm->call;
	size_t size[64], apart = 1, at = 0;
	const unsigned n = pl_bcube_groups(size, r->n, pl_algorithm_radix(r->a, call));

	for (unsigned i = 0; i < n; i++) {
		const size_t mine = r->rank / apart % size[i];

		g[i] = (struct group){.size = size[i],
				      .apart = apart,
				      .first = r->rank - mine * apart,
				      .mine = mine,
				      .at = at,
				      .length = n_blocks,
				      .part = (n_blocks + size[i] - 1) / size[i]};
		at += least(mine * g[i].part, n_blocks);
		n_blocks = least(g[i].part, n_blocks - least(mine * g[i].part, n_blocks));
		apart *= size[i];
	}
	return n;
}

/* To every peer the part that is its own in the end, from every peer the own; or the reverse. */
static void exchange_in_group(const struct pl_rank *r, const struct group *g,
			      const struct pl_blocks *b, bool gathers)
{
	const size_t from = r->a->how & PL_FROM_FIRST ? 0 : g->mine;

	for (size_t k = 0; k < g->size; k++) {
		const size_t i = (from + k) % g->size;
		const struct pl_range in = part_of(g, b, gathers ? i : g->mine);

		pl_script_data(r->s, in.at, gathers ? PL_STORES : PL_ADDS);
		if (i != g->mine)
			pl_script_irecv(r->s, g->first + i * g->apart, in.bytes);
	}
	for (size_t k = 0; k < g->size; k++) {
		const size_t i = (from + k) % g->size;
		const struct pl_range out = part_of(g, b, gathers ? g->mine : i);

		pl_script_send_at(r->s, out.at);
		if (i != g->mine)
			pl_script_isend(r->s, g->first + i * g->apart, out.bytes);
	}
	pl_script_wait_all(r->s);
	if (!gathers)
		pl_script_reduce(r->s, (g->size - 1) * part_of(g, b, g->mine).bytes);
}

void pl_kernel_bcube(const struct pl_rank *r)
{
	const struct pl_call *call = &r->comm->call;
	const size_t elements = r->bytes / r->element_bytes;
	const struct pl_blocks b = r->a->how & PL_ROUNDS_UP ? pl_blocks_even(call, elements)
							    : pl_blocks_even(call, r->n);
	struct group group[64];
	const unsigned n = find_groups(r, b.n, group);

	for (unsigned i = 0; i < n; i++) {
		pl_script_round(r->s, i);
		exchange_in_group(r, &group[i], &b, false);
	}
	for (unsigned i = n; i-- > 0;) {
		pl_script_round(r->s, 2 * n - 1 - i);
		exchange_in_group(r, &group[i], &b, true);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.c - LightGBM: collectives made of halves, rings and all-gathers, and its rules */
/*
 * LightGBM (src/network/) uses its own TCP sockets. SendRecv writes as much as the socket's buffer
 * of 100,000 bytes holds and then reads, or it writes in a second thread; so a send and a receive
 * always run at the same time. A part of no bytes is not sent. All sizes are int32_t.
 *
 * All-reduce is a reduce-scatter and then an all-gather, each with an algorithm of its own; or, of
 * small buffers, one all-gather of the whole buffers, which each rank then adds up by itself: N
 * bytes where 2 would do, but half the rounds. Blocks are rounded up.
 */
#include "config.h"

#include "costmodels/kernels.h"

/* Rings are for more bytes than this, the 10 MB of network.cpp; all-gathers take them only among
 * fewer machines than the second number. Buffers below the third are all-gathered whole. */
#define RING_BYTES ((uint64_t)10 << 20)
#define RING_POS_MAX 64
#define GATHER_BYTES 4096

/* What a collective consists of. */
enum {
	/* to reduce: halves, the farthest first (of the last ranks that pair up, the lower of each
	 * leads), or a ring that begins with the block of the rank before */
	HALVES = PL_OWN_FLAVOUR << 2,
	RING = HALVES << 1,
	/* to gather: Bruck's (turned in place by reversing it all and both its parts), recursive
	 * doubling, or a ring */
	BRUCK = RING << 1,
	DOUBLES = BRUCK << 1,
	GOES_ROUND = DOUBLES << 1,
	COMMON = PL_LEAVES_EMPTY | PL_PLACES | PL_ROUNDS_UP | PL_IN_PLACE | PL_OWN_LAST |
		 PL_TURNS_IN_PLACE,
};

static void in_parts(const struct pl_rank *r)
{
	const bool buffers = r->a->how & PL_GATHERS_BUFFERS;
	struct pl_lap lap = {.blocks = buffers ? pl_blocks_each(&r->comm->call, r->n)
					       : pl_rank_blocks(r),
			     .n_steps = r->n - 1};
	const uint64_t own = pl_block_bytes(&lap.blocks, r->rank);

	if (r->a->how & HALVES)
		lap.round = pl_scatter_halving(r);
	if (r->a->how & RING) {
		lap.block = (r->rank + r->n - 1) % r->n;
		lap.taking = PL_ADDS;
		lap.round = pl_ring_lap(r, lap);
		pl_script_copy(r->s, own);
	}
	if (r->a->how & BRUCK)
		pl_gather_bruck(r, &lap.blocks, lap.round);
	if (r->a->how & (DOUBLES | GOES_ROUND))
		pl_script_copy(r->s, own);
	if (r->a->how & DOUBLES)
		pl_double_up(r, &lap.blocks, lap.round);
	if (r->a->how & GOES_ROUND) {
		lap.block = r->rank;
		lap.taking = PL_STORES;
		pl_ring_lap(r, lap);
	}
	if (r->a->collective == PL_ALLREDUCE && buffers) {
		pl_script_reduce(r->s, (r->n - 1) * r->bytes);
		pl_script_copy(r->s, r->bytes);
	}
}

/* ---- checks */

static int check_bytes(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT32_MAX)
		return 0;
	return pl_err_set(
		err, PL_EUSAGE,
		"LightGBM counts bytes in an int32_t: a collective of %llu bytes is too large",
		(unsigned long long)call->bytes);
}

/* The blocks of all ranks together are counted, too. */
static int check_gathered(const struct pl_call *call, struct pl_err *err)
{
	struct pl_call all = *call;

	if (check_bytes(call, err))
		return -1;
	all.bytes *= all.n_pos;
	return check_bytes(&all, err);
}

static int check_power(const struct pl_call *call, struct pl_err *err)
{
	if (pl_is_power_of_two(call->n_pos))
		return check_bytes(call, err);
	return pl_err_set(err, PL_EUSAGE,
			  "LightGBM uses recursive doubling only if the number of ranks is a power "
			  "of two, not for %zu; it takes Bruck's algorithm instead",
			  call->n_pos);
}

static int check_power_gathered(const struct pl_call *call, struct pl_err *err)
{
	return check_power(call, err) ? -1 : check_gathered(call, err);
}

/* ---- rules and rows */

static const struct pl_algorithm *made_of(const struct pl_algorithm *rule, unsigned parts)
{
	const unsigned all = HALVES | RING | BRUCK | DOUBLES | GOES_ROUND;
	const struct pl_algorithm *a = pl_lightgbm_algorithms;

	while (a->collective != rule->collective || (a->how & all) != parts)
		a++;
	return a;
}

/* What gathers @bytes in all. */
static unsigned gatherer(uint64_t bytes, size_t n)
{
	if (bytes > RING_BYTES && n < RING_POS_MAX)
		return GOES_ROUND;
	return pl_is_power_of_two(n) ? DOUBLES : BRUCK;
}

static const struct pl_algorithm *decide(const struct pl_algorithm *rule, struct pl_call *call)
{
	const size_t n = call->n_pos;
	const bool small = call->bytes / call->element_bytes < n || call->bytes < GATHER_BYTES;
	const bool halves = pl_is_power_of_two(n) || call->bytes < RING_BYTES;
	const uint64_t all = call->bytes > INT64_MAX / n ? INT64_MAX : call->bytes * n;
	const unsigned gather = gatherer(call->bytes, n);

	if (rule->collective == PL_ALLGATHER || (rule->collective == PL_ALLREDUCE && small))
		return made_of(rule, gatherer(all, n));
	if (rule->collective == PL_REDUCE_SCATTER)
		return made_of(rule, halves ? HALVES : RING);
	if (halves)
		return made_of(rule, HALVES | gather);
	return made_of(rule, RING | (gather == GOES_ROUND ? GOES_ROUND : BRUCK));
}

#define GATHERS COMMON | PL_GATHERS_BUFFERS

const struct pl_algorithm pl_lightgbm_algorithms[] = {
	{PL_ALLREDUCE, PL_LIGHTGBM, "default", "chosen by Network::Allreduce by size and ranks",
	 .decide = decide},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-bruck",
	 "whole buffers all-gathered (Bruck), each adds them up", .kernel = in_parts,
	 .how = GATHERS | BRUCK, .check = check_gathered},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-doubling", "the same by recursive doubling",
	 .kernel = in_parts, .how = GATHERS | DOUBLES, .check = check_power_gathered},
	{PL_ALLREDUCE, PL_LIGHTGBM, "all-gather-ring", "the same in a ring", .kernel = in_parts,
	 .how = GATHERS | GOES_ROUND, .check = check_gathered, .objective = pl_ring_objective,
	 .laps = 1, .less = 1, .whole_blocks = true},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-bruck", "recursive halving, then Bruck's all-gather",
	 .kernel = in_parts, .how = COMMON | HALVES | BRUCK, .check = check_bytes,
	 .folding = PL_LAST_PAIRS},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-doubling",
	 "recursive halving, then recursive doubling", .kernel = in_parts,
	 .how = COMMON | HALVES | DOUBLES, .check = check_power, .folding = PL_LAST_PAIRS},
	{PL_ALLREDUCE, PL_LIGHTGBM, "halving-ring", "recursive halving, then a ring",
	 .kernel = in_parts, .how = COMMON | HALVES | GOES_ROUND, .check = check_bytes,
	 .folding = PL_LAST_PAIRS},
	{PL_ALLREDUCE, PL_LIGHTGBM, "ring", "a ring to reduce, a ring to gather",
	 .kernel = in_parts, .how = COMMON | RING | GOES_ROUND, .check = check_bytes,
	 .objective = pl_ring_objective, .laps = 2, .less = 2},
	{PL_ALLREDUCE, PL_LIGHTGBM, "ring-bruck", "a ring to reduce, then Bruck's all-gather",
	 .kernel = in_parts, .how = COMMON | RING | BRUCK, .check = check_bytes},
	{PL_ALLGATHER, PL_LIGHTGBM, "default", "chosen by Network::Allgather by size and ranks",
	 .decide = decide},
	{PL_ALLGATHER, PL_LIGHTGBM, "bruck", "1, 2, 4, ... blocks, downwards", .kernel = in_parts,
	 .how = GATHERS | BRUCK, .check = check_gathered},
	{PL_ALLGATHER, PL_LIGHTGBM, "recursive-doubling", "exchanges at distance 1, 2, 4, ...",
	 .kernel = in_parts, .how = GATHERS | DOUBLES, .check = check_power_gathered},
	{PL_ALLGATHER, PL_LIGHTGBM, "ring", "a ring of blocks, upwards", .kernel = in_parts,
	 .how = GATHERS | GOES_ROUND, .check = check_gathered, .objective = pl_ring_objective,
	 .laps = 1, .less = 1, .whole_blocks = true},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "default",
	 "chosen by Network::ReduceScatter by size and ranks", .decide = decide},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "recursive-halving",
	 "halves, the farthest first; surplus ranks pair up", .kernel = in_parts,
	 .how = COMMON | HALVES, .check = check_bytes, .folding = PL_LAST_PAIRS},
	{PL_REDUCE_SCATTER, PL_LIGHTGBM, "ring", "a ring of blocks, upwards", .kernel = in_parts,
	 .how = COMMON | RING, .check = check_bytes, .objective = pl_ring_objective, .laps = 1,
	 .less = 1},
	{.name = NULL},
};

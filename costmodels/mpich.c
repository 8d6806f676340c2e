/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.c - MPICH: its algorithms, its selection trees, its levels of hosts and leaders */
/*
 * MPICH 4.0 with the device ch4 over UCX and without shared memory of its own (ch4:ucx, as Debian
 * builds it), on one intracommunicator and with predefined operations that commute. MPI_IN_PLACE
 * does not change the messages, but for an all-to-all, which then runs an algorithm that is not
 * here. Names are those of the variables MPIR_CVAR_X_INTRA_ALGORITHM, with hyphens; settings are
 * their numbers. If the algorithm that a variable names cannot serve a call, the library chooses as
 * it does by default.
 */
#include "config.h"

#include "costmodels/kernels.h"

#include <limits.h>
#include <string.h>

/* MPIR_CVAR_ALLTOALL_THROTTLE; the first ranks include the rank itself */
#define ALLTOALL_AT_ONCE 32

static const struct pl_algorithm *named(const struct pl_algorithm *rule, const char *name)
{
	return pl_catalogue_named(rule->collective, PL_MPICH, name);
}

/* ---- checks: what MPICH counts in an int beside the elements */

static int check_bytes(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT_MAX)
		return pl_check_count(call, err);
	return pl_err_set(
		err, PL_EUSAGE,
		"%llu bytes in one call: here MPICH 4.0 counts them in an int, %d at most",
		(unsigned long long)call->bytes, INT_MAX);
}

static int check_gathered(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT_MAX / call->n_pos)
		return pl_check_count(call, err);
	return pl_err_set(
		err, PL_EUSAGE,
		"%llu bytes of each of %zu ranks: MPICH 4.0 counts them all in an int, %d at most",
		(unsigned long long)call->bytes, call->n_pos, INT_MAX);
}

static int check_bruck(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX / call->n_pos)
		return pl_check_count(call, err);
	return pl_err_set(
		err, PL_EUSAGE,
		"%llu elements for each of %zu ranks: here MPICH 4.0 counts them all in an "
		"int, %d at most",
		(unsigned long long)count, call->n_pos, INT_MAX);
}

/* ---- kernels of its own */

/* Up the tree of pl_kernel_broadcast_binomial, the nearest child first. */
static void reduce_binomial(const struct pl_rank *r)
{
	uint32_t round = 0;

	pl_script_data(r->s, 0, PL_ADDS);
	if (!r->comm->in_place)
		pl_script_copy(r->s, r->bytes);
	for (size_t bit = 1; bit < r->n; bit *= 2, round++) {
		if (r->me & bit) {
			pl_script_round(r->s, round);
			pl_script_send(r->s, pl_rank_behind(r, r->me - bit), r->bytes);
			return;
		}
		if (r->me + bit < r->n) {
			pl_script_recv(r->s, pl_rank_behind(r, r->me + bit), r->bytes);
			pl_script_reduce(r->s, r->bytes);
		}
	}
}

/* Blocks of whole bytes, not of elements. */
static void broadcast_scatter(const struct pl_rank *r)
{
	struct pl_call call = r->comm->call;

	call.element_bytes = 1;
	if (call.bytes > 0)
		pl_scatter_gather(r, pl_blocks_up(&call, r->n));
}

/* Nothing of an empty buffer, which is reduced within hosts and broadcast all the same. */
static void reduce_scatter_allgather(const struct pl_rank *r)
{
	if (r->bytes > 0)
		pl_kernel_rabenseifner(r);
}

/* Of 2^k ranks: halves, the nearest rank first. Blocks are put in such an order before that every
 * rank is left with its own. MPI_Reduce_scatter has it, too, but aborts where blocks differ: no
 * setting for a whole job. */
static void reduce_scatter_noncommutative(const struct pl_rank *r)
{
	const struct pl_fold all = pl_fold(r->n, PL_FIRST_STAY);
	const struct pl_halving h = pl_halving(r, &all, r->rank, PL_HALVE_BLOCKS, false);

	pl_script_copy(r->s, r->bytes);
	pl_halve(r, &h, 0, PL_TAKES_NOTHING);
	pl_script_copy(r->s, r->bytes / r->n);
}

/* A round's dearest hop, with the blocks that a rank sends in it. Up to ALLTOALL_AT_ONCE ranks all
 * pairs are in one round, so that all orders have the same hops. */
static int alltoall_scattered(struct pl_shape *shape, const struct pl_algorithm *a,
			      const struct pl_call *call, struct pl_err *err)
{
	const double trips = call->bytes <= PL_MPICH_EAGER_BYTES ? 1 : PL_MPICH_TRIPS;
	const size_t n = call->n_pos;

	shape->kind = PL_SUM_OF_MAXIMA;
	if (pl_shape_check_pairs(n, err))
		return -1;
	for (size_t i = 1; call->bytes && i < n; i++) {
		const size_t from = i / a->radix * a->radix;
		const size_t end = from + a->radix < n ? from + a->radix : n;
		const double blocks = (double)(end - (from ? from : 1));
		const struct pl_hop hop = {.group = (uint32_t)(i / a->radix),
					   .times = trips,
					   .bytes = blocks * (double)call->bytes / trips};

		if (pl_shape_add_ring(shape, n, n - i, hop, err))
			return -1;
	}
	return 0;
}

/* ---- levels: where hosts have several ranks, leaders are the first ones
 *
 *   all-reduce   0 <-- 1   2 <-- 3     reduced in hosts
 *                0 <-----> 2           the algorithm among the leaders
 *                0 --> 1   2 --> 3     broadcast in hosts
 */

static int allreduce(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct pl_phase phases[] = {
		{.level = PL_HOSTS, .a = pl_catalogue_named(PL_REDUCE, PL_MPICH, "default")},
		{.level = PL_LEADERS, .a = a, .in_place = true},
		{.level = PL_HOSTS, .a = pl_catalogue_named(PL_BROADCAST, PL_MPICH, "default")},
	};
	/* of an empty buffer MPICH's own choice is put together even on one host */
	const bool one_host = pl_call_hosts(&c->call) == 1 &&
			      (c->call.bytes > 0 || a->kernel == pl_kernel_reduce_doubling);

	if (c->call.slots == 1 || one_host)
		return pl_comm_write_ranks(c, a, err);
	return pl_phases_append(c->s, &c->call, phases, 3, err);
}

/* Between the root and the first rank of its communicator. */
static void hand_over(const struct pl_rank *r)
{
	const bool up = r->a->collective == PL_BROADCAST;
	const size_t src = up ? r->root : 0, dst = up ? 0 : r->root;

	pl_script_data(r->s, 0, PL_STORES);
	if (r->rank == src)
		pl_script_send(r->s, dst, r->bytes);
	else if (r->rank == dst)
		pl_script_recv(r->s, src, r->bytes);
}
static const struct pl_algorithm to_leader = {PL_BROADCAST, PL_MPICH, .kernel = hand_over};
static const struct pl_algorithm to_root = {PL_REDUCE, PL_MPICH, .kernel = hand_over};

#define BROADCAST_FEW_RANKS 8
#define BROADCAST_SHORT_BYTES 12288
#define BROADCAST_LONG_BYTES 524288

/* Among all ranks. */
static bool broadcasts_flat(const struct pl_call *call)
{
	return call->slots == 1 ||
	       (call->n_pos >= BROADCAST_FEW_RANKS && call->bytes >= BROADCAST_SHORT_BYTES &&
		(!pl_is_power_of_two(call->n_pos) || call->bytes >= BROADCAST_LONG_BYTES));
}

/* Of few ranks or short messages the root sends to its leader, then the leaders, then all hosts
 * run the algorithm; of middle-sized ones the root's host comes first, but if the root is a leader
 * that is as well done with the others. */
static int broadcast(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct pl_call *call = &c->call;
	const size_t host = call->root / call->slots, local = call->root % call->slots;
	const bool by_leader =
		call->n_pos < BROADCAST_FEW_RANKS || call->bytes < BROADCAST_SHORT_BYTES;
	const struct pl_phase phases[] = {
		{.level = PL_HOSTS,
		 .a = by_leader ? &to_leader : a,
		 .root = local,
		 .only_host = host + 1},
		{.level = PL_LEADERS, .a = a, .root = host},
		{.level = PL_HOSTS, .a = a, .but_host = by_leader || local == 0 ? 0 : host + 1},
	};

	if (broadcasts_flat(call))
		return pl_comm_write_ranks(c, a, err);
	return pl_phases_append(c->s, call, &phases[local == 0], 3 - (local == 0), err);
}

#define REDUCE_SHORT_BYTES 2048

/* Of short messages in all hosts but the root's, among the leaders, then in the root's host; of
 * longer ones in all hosts, among the leaders to rank 0, and from there to the root. */
static int reduce(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct pl_call *call = &c->call;
	const size_t host = call->root / call->slots, local = call->root % call->slots;
	const struct pl_phase by_host[] = {
		{.level = PL_HOSTS, .a = a, .but_host = host + 1},
		{.level = PL_LEADERS, .a = a, .root = host},
		{.level = PL_HOSTS, .a = a, .root = local, .only_host = host + 1},
	};
	const struct pl_phase by_first[] = {
		{.level = PL_HOSTS, .a = a},
		{.level = PL_LEADERS, .a = a, .in_place = true},
		{.level = PL_ALL_RANKS, .a = &to_root, .root = call->root},
	};

	if (call->slots == 1)
		return pl_comm_write_ranks(c, a, err);
	if (call->bytes <= REDUCE_SHORT_BYTES)
		return pl_phases_append(c->s, call, by_host, 3, err);
	return pl_phases_append(c->s, call, by_first, call->root == 0 ? 2 : 3, err);
}

/* In each host, then among the leaders, who broadcast one byte in their hosts. */
static int barrier(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	const struct pl_phase phases[] = {
		{.level = PL_HOSTS, .a = a},
		{.level = PL_LEADERS, .a = a},
		{.level = PL_HOSTS,
		 .a = pl_catalogue_named(PL_BROADCAST, PL_MPICH, "default"),
		 .bytes = 1},
	};

	if (c->call.slots == 1)
		return pl_comm_write_ranks(c, a, err);
	return pl_phases_append(c->s, &c->call, phases, 3, err);
}

/* ---- the selection trees */

/* What the rule takes for this communicator alone. */
static void as_decided(const struct pl_rank *r)
{
	const struct pl_algorithm *rule = pl_catalogue_named(r->a->collective, PL_MPICH, "default");
	struct pl_call call = r->comm->call, decided;
	struct pl_rank own = *r;

	call.slots = 1;
	own.a = pl_algorithm_decide(rule, &call, &decided);
	own.a->kernel(&own);
}

#define HANDS PL_SHAKES_HANDS

/* By default each level chooses by its own ranks; the algorithm is then named as what the leaders
 * run, or all. No setting gives that. */
static const struct pl_algorithm by_level[] = {
	{PL_BROADCAST, PL_MPICH, "binomial", "down a binomial tree", 0, as_decided,
	 PL_SENDS_EMPTY | HANDS, .whole = broadcast, .check = check_bytes},
	{PL_BROADCAST, PL_MPICH, "scatter-recursive-doubling-allgather",
	 "blocks scattered, gathered by recursive doubling", 0, as_decided, PL_SENDS_EMPTY | HANDS,
	 .whole = broadcast, .check = check_bytes},
	{PL_BROADCAST, PL_MPICH, "scatter-ring-allgather", "blocks scattered, gathered once round",
	 0, as_decided, PL_SENDS_EMPTY | HANDS, .whole = broadcast, .check = check_bytes},
	{PL_REDUCE, PL_MPICH, "binomial", "up a binomial tree", 0, as_decided, HANDS,
	 .whole = reduce, .check = pl_check_count},
	{PL_REDUCE, PL_MPICH, "reduce-scatter-gather",
	 "halves exchanged at distances 1, 2, ..., then gathered", 0, as_decided, HANDS,
	 .whole = reduce, .check = pl_check_count},
	{.name = NULL},
};

static const struct pl_algorithm *named_by_level(const struct pl_algorithm *rule,
						 const struct pl_call *call, const char *name)
{
	const struct pl_algorithm *a = by_level;

	if (call->slots == 1)
		return named(rule, name);
	while (a->collective != rule->collective || strcmp(a->name, name) != 0)
		a++;
	return a;
}

/* MPICH's limit for short messages, MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE, is not what its selection
 * tree asks for. */
static const struct pl_algorithm *decide_allreduce(const struct pl_algorithm *rule,
						   struct pl_call *call)
{
	const size_t hosts = pl_call_hosts(call);
	const size_t n = call->slots > 1 && hosts > 1 ? hosts : call->n_pos;
	const uint64_t count = call->bytes / call->element_bytes;
	const bool doubles =
		call->bytes > 0 && (call->bytes <= 8 || count < pl_fold(n, PL_ODD_STAYS).n);

	return named(rule, doubles ? "recursive-doubling" : "reduce-scatter-allgather");
}

static const struct pl_algorithm *decide_broadcast(const struct pl_algorithm *rule,
						   struct pl_call *call)
{
	const size_t n = broadcasts_flat(call) ? call->n_pos : pl_call_hosts(call);
	const char *name = "scatter-ring-allgather";

	if (n < BROADCAST_FEW_RANKS || call->bytes <= BROADCAST_SHORT_BYTES)
		name = "binomial";
	else if (pl_is_power_of_two(n) && call->bytes <= BROADCAST_LONG_BYTES)
		name = "scatter-recursive-doubling-allgather";
	return named_by_level(rule, call, name);
}

static const struct pl_algorithm *decide_reduce(const struct pl_algorithm *rule,
						struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const size_t n = pl_fold(pl_call_hosts(call), PL_EVEN_STAYS).n;

	return named_by_level(rule, call,
			      call->bytes <= REDUCE_SHORT_BYTES || count < n
				      ? "binomial"
				      : "reduce-scatter-gather");
}

/* By the bytes of all blocks. */
static const struct pl_algorithm *decide_allgather(const struct pl_algorithm *rule,
						   struct pl_call *call)
{
	const bool doubles = pl_is_power_of_two(call->n_pos);
	const uint64_t limit = doubles ? 524288 : 81920;

	/* not their product, which may be too large */
	if (call->bytes > (limit - 1) / call->n_pos)
		return named(rule, "ring");
	return named(rule, doubles ? "recursive-doubling" : "brucks");
}

/* By the bytes of all blocks, of operations that commute. */
static const struct pl_algorithm *decide_reduce_scatter(const struct pl_algorithm *rule,
							struct pl_call *call)
{
	const bool halves = call->bytes < 524288, equal = strcmp(rule->name, "default") != 0;

	if (equal)
		return named(rule, halves ? "block-recursive-halving" : "block-pairwise");
	return named(rule, halves ? "recursive-halving" : "pairwise");
}

static const struct pl_algorithm *decide_barrier(const struct pl_algorithm *rule,
						 struct pl_call *call)
{
	(void)call;
	return named(rule, "dissemination");
}

/* By ranks and bytes of a block. generic.json says comm_size<8 where csel.c takes 8 ranks, too: its
 * search has <= (only trees that are pruned for a communicator, which end before this question,
 * have <). */
static const struct pl_algorithm *decide_alltoall(const struct pl_algorithm *rule,
						  struct pl_call *call)
{
	if (call->bytes > 32768)
		return named(rule, "pairwise");
	return named(rule, call->n_pos > 8 && call->bytes <= 256 ? "brucks" : "scattered");
}

/* ---- the algorithms; those of MPI_Reduce_scatter_block are called block-... */

const struct pl_algorithm pl_mpich_algorithms[] = {
	{PL_ALLREDUCE, PL_MPICH, "recursive-doubling",
	 "whole buffers exchanged at distances 1, 2, 4, ...", 3, pl_kernel_reduce_doubling,
	 PL_SENDS_EMPTY | HANDS, .whole = allreduce, .check = pl_check_count},
	{PL_ALLREDUCE, PL_MPICH, "reduce-scatter-allgather",
	 "halves exchanged at distances 1, 2, ... and back", 4, reduce_scatter_allgather,
	 PL_SENDS_EMPTY | HANDS, .whole = allreduce, .check = pl_check_count,
	 .folding = PL_ODD_STAYS, .unless = PL_FEWER_THAN_FOLDED, .instead = "recursive-doubling"},
	{PL_ALLREDUCE, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_allreduce},

	{PL_BROADCAST, PL_MPICH, "binomial", "down a binomial tree", 1,
	 pl_kernel_broadcast_binomial, PL_SENDS_EMPTY | HANDS, .whole = broadcast,
	 .check = pl_check_count, .objective = pl_tree_objective},
	{PL_BROADCAST, PL_MPICH, "scatter-recursive-doubling-allgather",
	 "blocks scattered, gathered by recursive doubling", 4, broadcast_scatter,
	 PL_SENDS_EMPTY | PL_PLACES | HANDS, .whole = broadcast, .check = check_bytes},
	{PL_BROADCAST, PL_MPICH, "scatter-ring-allgather", "blocks scattered, gathered once round",
	 5, broadcast_scatter, PL_SENDS_EMPTY | PL_PLACES | PL_GATHERS_IN_RING | HANDS,
	 .whole = broadcast, .check = check_bytes},
	{PL_BROADCAST, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_broadcast},

	{PL_REDUCE, PL_MPICH, "binomial", "up a binomial tree", 1, reduce_binomial, HANDS,
	 .whole = reduce, .check = pl_check_count, .objective = pl_tree_objective},
	{PL_REDUCE, PL_MPICH, "reduce-scatter-gather",
	 "halves exchanged at distances 1, 2, ..., then gathered", 4, pl_kernel_rabenseifner, HANDS,
	 .whole = reduce, .check = pl_check_count, .folding = PL_EVEN_STAYS,
	 .unless = PL_FEWER_THAN_FOLDED, .instead = "binomial"},
	{PL_REDUCE, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_reduce},

	{PL_ALLGATHER, PL_MPICH, "brucks",
	 "blocks from distances 1, 2, 4, ..., any number of ranks", 1, pl_kernel_gather_bruck,
	 HANDS, .check = check_gathered},
	{PL_ALLGATHER, PL_MPICH, "recursive-doubling", "blocks exchanged at distances 1, 2, 4, ...",
	 3, pl_kernel_doubling, PL_PLACES | HANDS, .check = check_gathered,
	 .unless = PL_NO_POWER_OF_TWO, .instead = "default"},
	{PL_ALLGATHER, PL_MPICH, "ring", "blocks once round", 4, pl_kernel_gather_ring, HANDS,
	 .check = check_gathered, .objective = pl_ring_objective, .laps = 1, .whole_blocks = true},
	{PL_ALLGATHER, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_allgather},

	{PL_REDUCE_SCATTER, PL_MPICH, "pairwise", "to each rank its block", 3, pl_kernel_pairwise,
	 HANDS, .check = pl_check_count},
	{PL_REDUCE_SCATTER, PL_MPICH, "recursive-doubling",
	 "all but done blocks, at distances 1, 2, ...", 4, pl_kernel_doubling, HANDS,
	 .check = pl_check_count},
	{PL_REDUCE_SCATTER, PL_MPICH, "recursive-halving",
	 "halves exchanged at distances N/2, ..., 2, 1", 5, pl_kernel_halving,
	 PL_LEAVES_EMPTY | HANDS, .check = pl_check_count, .folding = PL_ODD_STAYS},
	{PL_REDUCE_SCATTER, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_reduce_scatter},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-noncommutative",
	 "equal blocks: halves, at distances 1, 2, ...", 1, reduce_scatter_noncommutative, HANDS,
	 .check = pl_check_equal_blocks, .unless = PL_NO_POWER_OF_TWO, .instead = "block-default"},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-recursive-doubling",
	 "equal blocks: all but done ones, at distances 1, 2, ...", 2, pl_kernel_doubling, HANDS,
	 .check = pl_check_equal_blocks},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-pairwise", "equal blocks: to each rank its block", 3,
	 pl_kernel_pairwise, HANDS, .check = pl_check_equal_blocks},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-recursive-halving",
	 "equal blocks: halves, at distances N/2, ..., 2, 1", 4, pl_kernel_halving,
	 PL_LEAVES_EMPTY | HANDS, .check = pl_check_equal_blocks, .folding = PL_ODD_STAYS},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-default",
	 "equal blocks: chosen by the selection trees", .decide = decide_reduce_scatter},

	{PL_BARRIER, PL_MPICH, "dissemination", "to the rank 1, 2, 4, ... further on", 3,
	 pl_kernel_dissemination, HANDS, .whole = barrier},
	{PL_BARRIER, PL_MPICH, "default", "chosen by the selection trees",
	 .decide = decide_barrier},

	{PL_ALLTOALL, PL_MPICH, "brucks", "half of the blocks to distances 1, 2, 4, ...", 1,
	 pl_kernel_alltoall_bruck, PL_PACKS | HANDS, .check = check_bruck},
	{PL_ALLTOALL, PL_MPICH, "pairwise", "with one rank in each round", 3, pl_kernel_pairwise,
	 PL_PAIRS | HANDS, .check = pl_check_count},
	{PL_ALLTOALL, PL_MPICH, "scattered", "with 32 ranks at once", 5, pl_kernel_all_at_once,
	 .check = pl_check_count, .objective = alltoall_scattered, .radix = ALLTOALL_AT_ONCE},
	{PL_ALLTOALL, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = decide_alltoall},

	{.name = NULL},
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.c - Open MPI: its algorithms, and what it alone does */
/*
 * The algorithms of coll/tuned and, called han, of coll/han in Open MPI 4.1, on one
 * intracommunicator and with commutative operations. MPI_IN_PLACE does not change the messages, but
 * for an all-to-all, which then runs an algorithm that is not here. Names are those of its
 * enumerations (coll_tuned_X_algorithm), settings are their numbers; "default" is the algorithm
 * that its fixed decision rules choose. The algorithms of MPI_Reduce_scatter_block are called
 * block-..., with the numbers of coll_tuned_reduce_scatter_block_algorithm. A communicator of one
 * rank does not use coll/tuned, and a call of no elements runs no algorithm: neither sends
 * anything.
 */
#include "config.h"

#include "costmodels/openmpi.h"

#include <limits.h>
#include <string.h>

/* ---- checks: what is counted in an int beside the elements */

static int check_two(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos > 2)
		return pl_err_set(err, PL_EUSAGE, "two-proc is for two ranks, not %zu",
				  call->n_pos);
	return pl_check_count(call, err);
}

static int check_barrier_two(const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos > 2)
		return pl_err_set(err, PL_EUSAGE,
				  "Open MPI's \"two-proc\" takes two ranks, not %zu", call->n_pos);
	return 0;
}

/* The elements of a message of several blocks. */
static int check_gather_bruck(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const size_t n = call->n_pos;
	size_t most = 1;

	for (size_t distance = 1; distance < n; distance *= 2) {
		const size_t blocks = distance < n - distance ? distance : n - distance;

		most = blocks > most ? blocks : most;
	}
	if (pl_check_count(call, err))
		return -1;
	if (count <= INT_MAX / most)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements of each of %zu ranks are too many for Bruck's all-gather "
			  "of Open MPI, which counts a message of %zu blocks in an int",
			  (unsigned long long)count, n, most);
}

static int check_alltoall_bruck(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX / call->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements for each of %zu ranks are too many for Bruck's all-to-all "
			  "of Open MPI, which counts all blocks in an int",
			  (unsigned long long)count, call->n_pos);
}

/* The library multiplies a segment's elements by the ranks. */
static int check_segmented_ring(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes, n = call->n_pos;

	if (pl_check_count(call, err))
		return -1;
	if (n == 1 || count < n || pl_openmpi_ring_segment(call) <= INT_MAX / n)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements in a segment for %llu ranks are more than the library's "
			  "int can hold",
			  (unsigned long long)pl_openmpi_ring_segment(call), (unsigned long long)n);
}

/* A subtree's elements. */
static int check_gather(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (pl_check_count(call, err))
		return -1;
	if (call->n_pos < 2 || count <= INT_MAX / call->n_pos ||
	    strcmp(pl_openmpi_gather_rule(call->n_pos, call->bytes).text, "binomial") != 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements of each of %zu ranks are too many for the binomial gather "
			  "of Open MPI",
			  (unsigned long long)count, call->n_pos);
}

const struct pl_algorithm pl_openmpi_gather = {
	PL_ALLGATHER, PL_OPENMPI, .kernel = pl_openmpi_gather_blocks, .check = check_gather};

/* ---- one collective, then another: both as the rules decide, unless their names say other */

static int then(const struct pl_comm_call *c, const struct pl_algorithm *a,
		const struct pl_call *call, struct pl_err *err)
{
	struct pl_comm_call own = *c;

	own.call = (struct pl_call){.n_pos = call->n_pos,
				    .bytes = call->bytes,
				    .element_bytes = call->element_bytes,
				    .slots = 1};
	return pl_comm_append(&own, a, err);
}

static const struct pl_algorithm *named(enum pl_collective collective, const char *name)
{
	return pl_catalogue_named(collective, PL_OPENMPI, name);
}

/* No segment of the broadcast leaves before rank 0 has the last one of the reduce. */
static int reduce_then_broadcast(const struct pl_comm_call *c, const struct pl_algorithm *a,
				 struct pl_err *err)
{
	const char *name = strcmp(a->name, "linear") == 0 ? "linear" : "default";

	if (then(c, named(PL_REDUCE, name), &c->call, err))
		return -1;
	return then(c, named(PL_BROADCAST, name), &c->call, err);
}

static int reduce_then_scatter(const struct pl_comm_call *c, const struct pl_algorithm *a,
			       struct pl_err *err)
{
	const struct pl_algorithm second = {PL_REDUCE_SCATTER, PL_OPENMPI, .kernel = a->kernel};

	if (then(c, named(PL_REDUCE, "default"), &c->call, err))
		return -1;
	return then(c, &second, &c->call, err);
}

/* More elements than an int counts go by as many at a time as there are ranks. */
static int gather_then_broadcast(const struct pl_comm_call *c, const struct pl_algorithm *a,
				 struct pl_err *err)
{
	struct pl_call all = c->call;

	(void)a;
	all.bytes = all.n_pos * all.bytes;
	if (all.bytes / all.element_bytes >= INT_MAX)
		all.element_bytes *= all.n_pos;
	if (then(c, &pl_openmpi_gather, &c->call, err))
		return -1;
	return then(c, named(PL_BROADCAST, "default"), &all, err);
}

/* ---- the algorithms */

/* A ring of eager blocks: the sum of its hops, as a block passes all but one and ranks do not wait
 * for each other; the scatter's few hops are left out then. Else a group for each round of the
 * scatter, one for all of the ring, which takes the same hops in every round. */
static int scatter_ring_objective(struct pl_shape *shape, const struct pl_algorithm *a,
				  const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	const struct pl_blocks b = pl_blocks_up(call, n);
	const bool eager = b.step_bytes <= PL_OPENMPI_EAGER_BYTES;
	const uint32_t rounds = n > 1 && !eager ? pl_log2(n - 1) + 1 : 0;
	const struct pl_hop ring = {.group = rounds,
				    .times = eager ? 1 : (double)(n - 1),
				    .bytes = (double)b.step_bytes};

	(void)a;
	shape->kind = eager ? PL_SUM : PL_SUM_OF_MAXIMA;
	for (size_t me = 1; !eager && me < n; me++) {
		const size_t lowest = me & -me;
		const struct pl_hop hop = {
			.src = (uint32_t)((me - lowest + call->root) % n),
			.dst = (uint32_t)((me + call->root) % n),
			.group = rounds - 1 - pl_log2(lowest),
			.times = 1,
			.bytes = (double)pl_block_range(&b, me, lowest).bytes,
		};

		if (hop.bytes > 0)
			pl_shape_put(shape, hop);
	}
	return pl_shape_add_ring(shape, n, 1, ring, err);
}

/* All pairs at once: the dearest hop, with the blocks that a rank sends. */
static int pairs_objective(struct pl_shape *shape, const struct pl_algorithm *a,
			   const struct pl_call *call, struct pl_err *err)
{
	const double trips = call->bytes <= PL_OPENMPI_EAGER_BYTES ? 1 : PL_OPENMPI_TRIPS;
	const struct pl_hop hop = {
		.times = trips,
		.bytes = (double)(call->n_pos - 1) * (double)call->bytes / trips,
	};

	(void)a;
	return pl_shape_of_pairs(shape, call->bytes ? call->n_pos : 0, hop, err);
}

#define HANDS PL_SHAKES_HANDS
#define CHOSEN "chosen by the fixed rules for the size"
/* in segments along a tree */
#define TREE                                                                                       \
	.whole = pl_openmpi_tree, .check = pl_openmpi_check_segments,                              \
	.objective = pl_openmpi_tree_objective, .takes_segment = true
#define HAN                                                                                        \
	.whole = pl_openmpi_han, .check = pl_openmpi_check_segments,                               \
	.objective = pl_openmpi_han_objective, .for_slots = true

const struct pl_algorithm pl_openmpi_algorithms[] = {
	{PL_ALLREDUCE, PL_OPENMPI, "linear", "linear reduce to rank 0, linear broadcast", 1,
	 .whole = reduce_then_broadcast, .check = pl_check_count},
	{PL_ALLREDUCE, PL_OPENMPI, "nonoverlapping", "reduce to rank 0, then broadcast, as decided",
	 2, .whole = reduce_then_broadcast, .check = pl_check_count},
	{PL_ALLREDUCE, PL_OPENMPI, "recursive-doubling",
	 "whole buffers exchanged at distances 1, 2, 4, ...", 3, pl_kernel_reduce_doubling,
	 .check = pl_check_count},
	{PL_ALLREDUCE, PL_OPENMPI, "ring", "blocks once round to be reduced, once to be gathered",
	 4, pl_openmpi_allreduce_ring, .check = pl_check_count, .objective = pl_ring_objective,
	 .laps = 1, .unless = PL_FEWER_THAN_RANKS, .instead = "recursive-doubling"},
	{PL_ALLREDUCE, PL_OPENMPI, "segmented-ring", "the ring with its reduction in segments", 5,
	 pl_openmpi_allreduce_ring, .check = check_segmented_ring, .objective = pl_ring_objective,
	 .laps = 1, .takes_segment = true, .unless = PL_FEWER_THAN_RANKS,
	 .instead = "recursive-doubling"},
	{PL_ALLREDUCE, PL_OPENMPI, "rabenseifner",
	 "halves exchanged at distances 1, 2, ... and back", 6, pl_kernel_rabenseifner,
	 PL_HALVES_ELEMENTS | PL_PAIRS_SHARE | HANDS, .check = pl_check_count,
	 .unless = PL_FEWER_THAN_FOLDED, .instead = "linear"},
	{PL_ALLREDUCE, PL_OPENMPI, "han", "in hosts, between their first ranks, in hosts", HAN,
	 .takes_segment = true},
	{PL_ALLREDUCE, PL_OPENMPI, "han-simple", "han without segments", HAN},
	{PL_ALLREDUCE, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},

	{PL_BROADCAST, PL_OPENMPI, "linear", "the root to all", 1, pl_openmpi_broadcast_linear,
	 .check = pl_check_count},
	{PL_BROADCAST, PL_OPENMPI, "chain", "down chains, in segments", 2, pl_openmpi_tree_down,
	 .plant = pl_plant_chains, .radix = 4, .takes_radix = true, TREE},
	{PL_BROADCAST, PL_OPENMPI, "pipeline", "down one chain, in segments", 3,
	 pl_openmpi_tree_down, .plant = pl_plant_chains, .radix = 1, TREE},
	{PL_BROADCAST, PL_OPENMPI, "split-binary",
	 "halves down both sides of a binary tree, exchanged", 4, pl_openmpi_split_binary,
	 .plant = pl_plant_binary, .whole = pl_openmpi_split, .check = pl_openmpi_check_segments,
	 .objective = pl_openmpi_split_objective, .takes_segment = true},
	{PL_BROADCAST, PL_OPENMPI, "binary", "down a binary tree, in segments", 5,
	 pl_openmpi_tree_down, .plant = pl_plant_binary, TREE},
	{PL_BROADCAST, PL_OPENMPI, "binomial", "down a binomial tree, in segments", 6,
	 pl_openmpi_tree_down, .plant = pl_plant_binomial, TREE},
	{PL_BROADCAST, PL_OPENMPI, "knomial", "down a k-nomial tree, in segments", 7,
	 pl_openmpi_tree_down, .plant = pl_plant_knomial, .radix = 4, .takes_radix = true,
	 .whole = pl_openmpi_tree, .check = pl_openmpi_check_knomial,
	 .objective = pl_openmpi_tree_objective, .takes_segment = true},
	{PL_BROADCAST, PL_OPENMPI, "scatter-allgather",
	 "blocks scattered, gathered by recursive doubling", 8, pl_openmpi_broadcast_scatter,
	 PL_PLACES | PL_ROUNDS_AS_NEEDED | HANDS, .check = pl_check_count,
	 .unless = PL_FEWER_THAN_RANKS, .instead = "linear"},
	{PL_BROADCAST, PL_OPENMPI, "scatter-allgather-ring",
	 "blocks scattered, gathered once round", 9, pl_openmpi_broadcast_scatter,
	 PL_PLACES | PL_GATHERS_IN_RING, .check = pl_check_count,
	 .objective = scatter_ring_objective, .unless = PL_FEWER_THAN_RANKS, .instead = "linear"},
	{PL_BROADCAST, PL_OPENMPI, "han", "between hosts, then in hosts", HAN,
	 .takes_segment = true},
	{PL_BROADCAST, PL_OPENMPI, "han-simple", "han without segments", HAN},
	{PL_BROADCAST, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},

	{PL_REDUCE, PL_OPENMPI, "linear", "all to the root, the last rank first", 1,
	 pl_openmpi_reduce_linear, .check = pl_check_count},
	{PL_REDUCE, PL_OPENMPI, "chain", "up chains, in segments", 2, pl_openmpi_tree_up,
	 .plant = pl_plant_chains, .radix = 4, .takes_radix = true, TREE},
	{PL_REDUCE, PL_OPENMPI, "pipeline", "up one chain, in segments", 3, pl_openmpi_tree_up,
	 .plant = pl_plant_chains, .radix = 1, TREE},
	{PL_REDUCE, PL_OPENMPI, "binary", "up a binary tree, in segments", 4, pl_openmpi_tree_up,
	 .plant = pl_plant_binary, TREE},
	{PL_REDUCE, PL_OPENMPI, "binomial", "up a binomial tree, in segments", 5,
	 pl_openmpi_tree_up, .plant = pl_plant_in_order_binomial, TREE},
	{PL_REDUCE, PL_OPENMPI, "in-order-binary",
	 "up a binary tree that keeps the order of the ranks", 6, pl_openmpi_tree_up,
	 .plant = pl_plant_in_order_binary, TREE},
	{PL_REDUCE, PL_OPENMPI, "rabenseifner",
	 "halves exchanged at distances 1, 2, ..., then gathered", 7, pl_kernel_rabenseifner,
	 PL_HALVES_ELEMENTS | PL_PAIRS_SHARE | HANDS, .check = pl_check_count,
	 .unless = PL_FEWER_THAN_FOLDED, .instead = "linear"},
	{PL_REDUCE, PL_OPENMPI, "han", "in hosts, then between hosts", HAN, .takes_segment = true},
	{PL_REDUCE, PL_OPENMPI, "han-simple", "han without segments", HAN},
	{PL_REDUCE, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},

	{PL_ALLGATHER, PL_OPENMPI, "linear", "gather to rank 0, then broadcast, both as decided", 1,
	 .whole = gather_then_broadcast, .check = check_gather},
	{PL_ALLGATHER, PL_OPENMPI, "bruck",
	 "blocks from distances 1, 2, 4, ..., any number of ranks", 2, pl_kernel_gather_bruck,
	 PL_TURNS_PART | HANDS, .check = check_gather_bruck},
	{PL_ALLGATHER, PL_OPENMPI, "recursive-doubling",
	 "blocks exchanged at distances 1, 2, 4, ...", 3, pl_kernel_doubling, HANDS,
	 .check = pl_check_count, .unless = PL_NO_POWER_OF_TWO, .instead = "bruck"},
	{PL_ALLGATHER, PL_OPENMPI, "ring", "blocks once round", 4, pl_kernel_gather_ring,
	 .check = pl_check_count, .objective = pl_ring_objective, .laps = 1, .whole_blocks = true},
	{PL_ALLGATHER, PL_OPENMPI, "neighbor", "blocks exchanged with either neighbour in turn", 5,
	 pl_openmpi_gather_neighbor, .check = pl_check_count,
	 .objective = pl_openmpi_neighbor_objective, .unless = PL_ODD_RANKS, .instead = "ring"},
	{PL_ALLGATHER, PL_OPENMPI, "two-proc", "one exchange, of two ranks", 6,
	 pl_openmpi_trade_two, .check = check_two},
	{PL_ALLGATHER, PL_OPENMPI, "han", "in hosts, between their first ranks, in hosts", HAN},
	{PL_ALLGATHER, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},

	{PL_REDUCE_SCATTER, PL_OPENMPI, "nonoverlapping",
	 "reduce to rank 0 as decided, then its blocks", 1, pl_openmpi_scatterv,
	 .whole = reduce_then_scatter, .check = pl_check_count},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "recursive-halving",
	 "halves exchanged at distances N/2, ..., 2, 1", 2, pl_kernel_halving,
	 PL_LEAVES_EMPTY | PL_SENDS_FIRST | HANDS, .check = pl_check_count,
	 .folding = PL_ODD_STAYS},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "ring", "blocks once round to be reduced", 3,
	 pl_openmpi_reduce_scatter_ring, .check = pl_check_count, .objective = pl_ring_objective,
	 .laps = 1},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "butterfly",
	 "halves exchanged at distances 1, 2, ..., then swapped", 4, pl_openmpi_butterfly, HANDS,
	 .check = pl_check_count},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "block-linear",
	 "equal blocks: reduce to rank 0, scatter, as decided", 1, pl_openmpi_scatter,
	 .whole = reduce_then_scatter, .check = pl_check_equal_blocks},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "block-recursive-doubling",
	 "equal blocks: all but done ones, at distances 1, 2, ...", 2, pl_kernel_doubling,
	 PL_OWN_LAST | HANDS, .check = pl_check_equal_blocks},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "block-recursive-halving",
	 "equal blocks: halves, at distances N/2, ..., 2, 1", 3, pl_kernel_halving,
	 PL_LEAVES_EMPTY | PL_SENDS_FIRST | HANDS, .check = pl_check_equal_blocks,
	 .folding = PL_ODD_STAYS},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "block-butterfly",
	 "equal blocks: halves, at distances 1, 2, ...", 4, pl_openmpi_butterfly, HANDS,
	 .check = pl_check_equal_blocks},
	{PL_REDUCE_SCATTER, PL_OPENMPI, "block-default", "equal blocks: chosen by the fixed rules",
	 .decide = pl_openmpi_decide},

	{PL_BARRIER, PL_OPENMPI, "linear", "all report to rank 0, which releases them",
	 .setting = 1, .kernel = pl_openmpi_barrier_linear},
	{PL_BARRIER, PL_OPENMPI, "double-ring", "an empty message twice round", 2,
	 pl_openmpi_barrier_double_ring, .objective = pl_ring_objective, .laps = 2},
	{PL_BARRIER, PL_OPENMPI, "recursive-doubling",
	 "empty messages exchanged at distances 1, 2, 4, ...", .setting = 3,
	 .kernel = pl_openmpi_barrier_doubling},
	{PL_BARRIER, PL_OPENMPI, "bruck", "to the rank 1, 2, 4, ... further on", .setting = 4,
	 .kernel = pl_kernel_dissemination},
	{PL_BARRIER, PL_OPENMPI, "two-proc", "two ranks exchange empty messages", 5,
	 pl_openmpi_trade_two, .check = check_barrier_two},
	{PL_BARRIER, PL_OPENMPI, "tree", "up a binomial tree and down again", .setting = 6,
	 .kernel = pl_openmpi_barrier_tree},
	{PL_BARRIER, PL_OPENMPI, "han", "in hosts, between their first ranks, in hosts", HAN},
	{PL_BARRIER, PL_OPENMPI, "default", "chosen by the fixed rules for the ranks",
	 .decide = pl_openmpi_decide},

	{PL_ALLTOALL, PL_OPENMPI, "linear", "all pairs at once", 1, pl_kernel_all_at_once,
	 .check = pl_check_count, .objective = pairs_objective},
	{PL_ALLTOALL, PL_OPENMPI, "pairwise", "in step i to the rank i further on", 2,
	 pl_kernel_pairwise, PL_OWN_LAST | HANDS, .check = pl_check_count},
	{PL_ALLTOALL, PL_OPENMPI, "modified-bruck", "half of the blocks to distances 1, 2, 4, ...",
	 3, pl_kernel_alltoall_bruck, HANDS, .check = check_alltoall_bruck},
	{PL_ALLTOALL, PL_OPENMPI, "linear-sync", "all pairs at once, without persistent requests",
	 4, pl_kernel_all_at_once, .check = pl_check_count, .objective = pairs_objective},
	{PL_ALLTOALL, PL_OPENMPI, "two-proc", "one exchange, of two ranks", 5, pl_openmpi_trade_two,
	 .check = check_two},
	{PL_ALLTOALL, PL_OPENMPI, "default", CHOSEN, .decide = pl_openmpi_decide},

	{.name = NULL},
};

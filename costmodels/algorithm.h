/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.h - what a collective algorithm is to plink (plink-patterns(7)) */
#ifndef PLINK_COSTMODELS_ALGORITHM_H
#define PLINK_COSTMODELS_ALGORITHM_H

#include "base/err.h"
#include "costmodels/script.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_collective {
	PL_ALLREDUCE,
	PL_BROADCAST,
	PL_REDUCE,
	PL_ALLGATHER,
	PL_REDUCE_SCATTER,
	PL_BARRIER,
	PL_ALLTOALL,
};
#define PL_COLLECTIVES (PL_ALLTOALL + 1)

/* The library that the algorithm belongs to; PL_THESIS: as the PLink thesis describes it. */
enum pl_impl {
	PL_THESIS,
	PL_OPENMPI,
	PL_GLOO,
	PL_NCCL,
	PL_LIGHTGBM,
	PL_MPICH,
	PL_XGBOOST,
};
#define PL_IMPLS (PL_XGBOOST + 1)

/*
 * One call of a collective by n_pos ranks; positions are ranks. Zero in a field with a default
 * means the default.
 */
struct pl_call {
	size_t n_pos;
	/*
	 * All-reduce, broadcast, reduce: the buffer of a rank. Reduce-scatter: the input of a rank,
	 * which is all blocks. All-gather: the block that one rank gives. All-to-all: the block
	 * that one rank gives to one other. Barrier: not used. At most INT64_MAX, a multiple of
	 * element_bytes.
	 */
	uint64_t bytes;
	uint64_t element_bytes; /* 4: a float */
	/* of algorithms that send in segments; 0: the library's own length */
	uint64_t segment_bytes;
	/* the number behind the name: BCube's B, the number of chains, ... */
	size_t radix;
	size_t root;  /* of broadcast and reduce */
	size_t slots; /* consecutive ranks on each host; 0: 1 */
	/* Open MPI: coll/han comes before coll/tuned, as from version 5 on; for rules only */
	bool han;
	/* NCCL only: if the hosts have different numbers of ranks, positions are hosts and this is
	 * the number of all ranks. 0: positions are ranks. */
	size_t n_ranks;
};

struct pl_algorithm;
struct pl_comm_call;
struct pl_rank;
struct pl_span_tree;

/* Writes the sends and receives of one rank. The call has been checked by pl_call_check: n_pos >=
 * 1, root < n_pos, defaults filled in. */
typedef void pl_kernel_fn(const struct pl_rank *rank);
/* Those of all ranks; 0, or -1 with @err set. */
typedef int pl_whole_fn(const struct pl_comm_call *comm, const struct pl_algorithm *a,
			struct pl_err *err);

/* Puts every rank into the tree along which the algorithm works. */
typedef void pl_plant_fn(struct pl_span_tree *t);

/* Whether the library can make the call, which pl_call_check has checked: 0, or -1 with @err
 * set. */
typedef int pl_check_fn(const struct pl_call *call, struct pl_err *err);

/* The objective that the solver minimizes, as simple as the algorithm allows. *shape has n_pos. 0,
 * or -1 with @err set. */
typedef int pl_objective_fn(struct pl_shape *shape, const struct pl_algorithm *a,
			    const struct pl_call *call, struct pl_err *err);

/* The algorithm that the library takes for the call, by the rule @a, which may change the call, too
 * (segments, radix). */
typedef const struct pl_algorithm *pl_decide_fn(const struct pl_algorithm *a, struct pl_call *call);

/* Calls for which a library runs another algorithm than it is told to. */
enum pl_unless {
	PL_ALWAYS,
	PL_FEWER_THAN_RANKS,  /* elements */
	PL_FEWER_THAN_FOLDED, /* elements than ranks remain after a fold */
	PL_NO_POWER_OF_TWO,
	PL_ODD_RANKS,
};

/*
 * One algorithm of one library: a row of the library's table, which is all that an algorithm made
 * of known parts needs. The catalogue joins the tables.
 */
struct pl_algorithm {
	enum pl_collective collective;
	enum pl_impl impl;
	const char *name;    /* as in options: "ring", "bcube" */
	const char *summary; /* one line, for lists */
	int setting;         /* the number by which the library selects it; 0: none */
	/* what each rank does, and in which flavours (kernels.h); or whatever all do together */
	pl_kernel_fn *kernel;
	uint32_t how;
	pl_whole_fn *whole;
	pl_check_fn *check;
	/* NULL: the sum over the pattern's rounds of the most expensive hop in each */
	pl_objective_fn *objective;
	/* not NULL: the entry is a rule ("default"), not an algorithm */
	pl_decide_fn *decide;
	/* the algorithm of that name runs in its place */
	enum pl_unless unless;
	const char *instead;
	bool takes_radix;   /* "bcube:4" */
	bool takes_segment; /* the call's segment_bytes matter */
	/* the library's answer to hosts with several ranks; where each has one, it runs another
	 * algorithm */
	bool for_slots;
	/* parameters of kernels: the number behind the name unless the call has one, which ranks
	 * stay out (enum pl_folding), and the tree (trees.h) */
	size_t radix;
	int folding;
	pl_plant_fn *plant;
	bool two_trees; /* t->radix says which: 0, 1 */
	/* of objectives: a block, one of N or the whole buffer, takes laps * N - less hops round
	 * the ring, upwards or down; each hop of a tree counts laps times */
	size_t laps, less;
	bool whole_blocks, down;
};

/* The libraries' tables; the last entry of each has no name. */
extern const struct pl_algorithm pl_thesis_algorithms[];
extern const struct pl_algorithm pl_openmpi_algorithms[];
extern const struct pl_algorithm pl_gloo_algorithms[];
extern const struct pl_algorithm pl_nccl_algorithms[];
extern const struct pl_algorithm pl_lightgbm_algorithms[];
extern const struct pl_algorithm pl_mpich_algorithms[];
extern const struct pl_algorithm pl_xgboost_algorithms[];

#endif

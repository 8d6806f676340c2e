/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - what the files of this folder give its table, and share */
/*
 * MPICH 4.0's device ch4 over UCX without shared memory of its own (ch4:ucx, as
 * Debian builds it), on one intracommunicator, with predefined operations;
 * MPI_IN_PLACE makes no difference to what is sent. Names are those of its
 * variables MPIR_CVAR_X_INTRA_ALGORITHM, with hyphens; settings their numbers.
 * "default" is what its selection trees take. Those of MPI_Reduce_scatter_block
 * are named block-.... Where a variable's algorithm cannot serve a call, the
 * library takes what it takes by itself.
 *
 * Where hosts have several ranks, all-reduce, broadcast, reduce and barrier are
 * put together of a part among the ranks of each host and one among their first
 * ranks, the leaders: the chosen algorithm serves the parts of its own
 * collective.
 */
#ifndef PLINK_COSTMODELS_MPICH_ALGORITHMS_H
#define PLINK_COSTMODELS_MPICH_ALGORITHMS_H

#include "costmodels/algorithm.h"
#include "costmodels/blocks.h"
#include "costmodels/fold.h"

/* A rank of a communicator, in the script where what it does is being written.
 * Rank i of the communicator is position first + i * stride. */
struct pl_mpich_rank {
	struct pl_script *s;
	size_t n, first, stride;
	size_t rank, root; /* in the communicator */
	uint64_t bytes, element_bytes;
	bool in_place; /* what it gives lies where the result goes */
};

/* What it does in a collective. Rounds begin at 0. */
typedef void pl_mpich_part(const struct pl_mpich_rank *r);

enum pl_mpich_level {
	PL_MPICH_ALL,     /* all ranks */
	PL_MPICH_HOST,    /* those of each host */
	PL_MPICH_LEADERS, /* the first of each host */
};

/* What they do one after the other. */
struct pl_mpich_phase {
	enum pl_mpich_level level;
	pl_mpich_part *part;
	size_t root; /* in the communicator */
	/* of a level of hosts: only that one, all but that one (from 1; 0:
	 * all) */
	size_t only_host, but_host;
	bool in_place;
};

/* Every rank does that, after what it does in the script so far. 0, or -1 with
 * @err set. */
int pl_mpich_phases(struct pl_script *s, const struct pl_call *call,
		    const struct pl_mpich_phase *phase, size_t n_phases,
		    struct pl_err *err);
/* The same of all ranks and one part. */
int pl_mpich_flat(struct pl_script *s, const struct pl_call *call,
		  pl_mpich_part *part, struct pl_err *err);

/* By ranks of the communicator. */
void pl_mpich_send(const struct pl_mpich_rank *r, size_t dst, uint64_t bytes);
void pl_mpich_recv(const struct pl_mpich_rank *r, size_t src, uint64_t bytes);
void pl_mpich_sendrecv(const struct pl_mpich_rank *r, struct pl_exchange x);

/* Has a host several of the call's ranks? */
bool pl_mpich_is_parent(const struct pl_call *call);
size_t pl_mpich_hosts(const struct pl_call *call);
/* The host of a position, and its rank there. */
size_t pl_mpich_host(const struct pl_call *call, size_t pos);
size_t pl_mpich_local(const struct pl_call *call, size_t pos);

bool pl_mpich_power_of_two(size_t n);

/* 0, or -1 with @err set (PL_EUSAGE): MPI counts elements in an int. */
int pl_mpich_check_count(const struct pl_call *call, struct pl_err *err);
/* Also that MPICH can count their bytes in one. */
int pl_mpich_check_bytes(const struct pl_call *call, struct pl_err *err);
/* Also that the blocks of all ranks are of one size. */
int pl_mpich_check_blocks(const struct pl_call *call, struct pl_err *err);

/* What "binomial" of that collective depends on: the longest path; where hosts
 * have several ranks, the sum of the rounds. 0, or -1 with @err set. */
int pl_mpich_tree_shape(struct pl_shape *shape, enum pl_collective collective,
			const struct pl_call *call, struct pl_err *err);

/*
 * Recursive doubling among any number of ranks: at distance 1, 2, 4, ... ranks
 * exchange what their two groups have. Those of a whole group whose peer would
 * be beyond the last rank get it from one in their own group, halving after
 * halving.
 */
struct pl_mpich_doubling {
	/* Bytes of what the group of @size ranks from @first on gives, of the
	 * call. */
	uint64_t (*bytes)(const struct pl_mpich_rank *r, size_t first,
			  size_t size);
	bool reduces;
	uint32_t round; /* the first */
};
/* Ranks are counted from the root. */
void pl_mpich_double_up(const struct pl_mpich_rank *r,
			const struct pl_mpich_doubling *d);

/* Messages above PL_MPICH_EAGER_BYTES take PL_MPICH_TRIPS ways. */
void pl_mpich_weigh(struct pl_shape *shape);

/* The table's entry of that name, which must exist. */
const struct pl_algorithm *pl_mpich_algorithm(enum pl_collective collective,
					      const char *name);

/* all-reduce; @part runs among the leaders, or among all */
int pl_mpich_allreduce(struct pl_script *s, const struct pl_call *call,
		       pl_mpich_part *part, struct pl_err *err);
pl_mpich_part pl_mpich_allreduce_recursive_doubling_part;
int pl_mpich_allreduce_recursive_doubling(struct pl_script *s,
					  const struct pl_call *call,
					  struct pl_err *err);
int pl_mpich_allreduce_reduce_scatter_allgather(struct pl_script *s,
						const struct pl_call *call,
						struct pl_err *err);
const struct pl_algorithm *pl_mpich_decide_allreduce(const struct pl_call *call,
						     struct pl_call *decided);

/* Halves of a buffer that lies in as many blocks as ranks are left of a
 * fold. */
struct pl_mpich_halves {
	struct pl_fold fold;
	struct pl_blocks blocks;
	size_t folded;   /* the rank's own number there */
	size_t first, n; /* the blocks that it has */
	uint32_t round;  /* the next one */
};
/* Of a rank; it has all blocks. */
struct pl_mpich_halves pl_mpich_halves(const struct pl_mpich_rank *r,
				       size_t keeps);
/* With the ranks at distance 1, 2, ... it exchanges halves of what it has, and
 * reduces the one that it keeps. */
void pl_mpich_halve(const struct pl_mpich_rank *r, struct pl_mpich_halves *h);
/* As many blocks as it has lie with its peer at distance @mask. Takes them to
 * be its own, too; tells their bytes. */
uint64_t pl_mpich_double(struct pl_mpich_halves *h, size_t mask);
uint64_t pl_mpich_has(const struct pl_mpich_halves *h);

/* broadcast */
pl_mpich_part pl_mpich_broadcast_part; /* as decided for the communicator */
pl_mpich_part pl_mpich_broadcast_binomial_part;
pl_mpich_part pl_mpich_broadcast_recursive_doubling_part;
pl_mpich_part pl_mpich_broadcast_ring_part;
int pl_mpich_broadcast(struct pl_script *s, const struct pl_call *call,
		       pl_mpich_part *part, struct pl_err *err);
int pl_mpich_broadcast_binomial(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_mpich_broadcast_binomial_shape(struct pl_shape *shape,
				      const struct pl_call *call,
				      struct pl_err *err);
int pl_mpich_broadcast_scatter_recursive_doubling_allgather(
	struct pl_script *s, const struct pl_call *call, struct pl_err *err);
int pl_mpich_broadcast_scatter_ring_allgather(struct pl_script *s,
					      const struct pl_call *call,
					      struct pl_err *err);
const struct pl_algorithm *pl_mpich_decide_broadcast(const struct pl_call *call,
						     struct pl_call *decided);

/* reduce */
pl_mpich_part pl_mpich_reduce_part; /* as decided for the communicator */
pl_mpich_part pl_mpich_reduce_binomial_part;
pl_mpich_part pl_mpich_reduce_scatter_gather_part;
int pl_mpich_reduce(struct pl_script *s, const struct pl_call *call,
		    pl_mpich_part *part, struct pl_err *err);
int pl_mpich_reduce_binomial(struct pl_script *s, const struct pl_call *call,
			     struct pl_err *err);
int pl_mpich_reduce_binomial_shape(struct pl_shape *shape,
				   const struct pl_call *call,
				   struct pl_err *err);
int pl_mpich_reduce_reduce_scatter_gather(struct pl_script *s,
					  const struct pl_call *call,
					  struct pl_err *err);
const struct pl_algorithm *pl_mpich_decide_reduce(const struct pl_call *call,
						  struct pl_call *decided);

/* all-gather; the check is 0, or -1 with @err set (PL_EUSAGE): where a rank's
 * part of the result begins is counted in an int */
int pl_mpich_check_gathered(const struct pl_call *call, struct pl_err *err);
int pl_mpich_allgather(struct pl_script *s, const struct pl_call *call,
		       pl_mpich_part *part, struct pl_err *err);
/* 0, or -1 with @err set (PL_EUSAGE): where a rank's part of the result begins
 * is counted in an int. */
int pl_mpich_check_gathered(const struct pl_call *call, struct pl_err *err);
int pl_mpich_allgather_brucks(struct pl_script *s, const struct pl_call *call,
			      struct pl_err *err);
int pl_mpich_allgather_recursive_doubling(struct pl_script *s,
					  const struct pl_call *call,
					  struct pl_err *err);
int pl_mpich_allgather_ring(struct pl_script *s, const struct pl_call *call,
			    struct pl_err *err);
int pl_mpich_allgather_ring_shape(struct pl_shape *shape,
				  const struct pl_call *call,
				  struct pl_err *err);
const struct pl_algorithm *pl_mpich_decide_allgather(const struct pl_call *call,
						     struct pl_call *decided);

/* reduce-scatter: MPI_Reduce_scatter, blocks of pl_blocks */
int pl_mpich_reduce_scatter(struct pl_script *s, const struct pl_call *call,
			    pl_mpich_part *part, struct pl_err *err);
int pl_mpich_reduce_scatter_block(struct pl_script *s,
				  const struct pl_call *call,
				  pl_mpich_part *part, struct pl_err *err);
int pl_mpich_reduce_scatter_pairwise(struct pl_script *s,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_mpich_reduce_scatter_recursive_doubling(struct pl_script *s,
					       const struct pl_call *call,
					       struct pl_err *err);
int pl_mpich_reduce_scatter_recursive_halving(struct pl_script *s,
					      const struct pl_call *call,
					      struct pl_err *err);
const struct pl_algorithm *
pl_mpich_decide_reduce_scatter(const struct pl_call *call,
			       struct pl_call *decided);

/* of MPI_Reduce_scatter_block, equal blocks ("block-...") */
int pl_mpich_reduce_scatter_block_noncommutative(struct pl_script *s,
						 const struct pl_call *call,
						 struct pl_err *err);
int pl_mpich_reduce_scatter_block_pairwise(struct pl_script *s,
					   const struct pl_call *call,
					   struct pl_err *err);
int pl_mpich_reduce_scatter_block_recursive_doubling(struct pl_script *s,
						     const struct pl_call *call,
						     struct pl_err *err);
int pl_mpich_reduce_scatter_block_recursive_halving(struct pl_script *s,
						    const struct pl_call *call,
						    struct pl_err *err);
const struct pl_algorithm *
pl_mpich_decide_reduce_scatter_block(const struct pl_call *call,
				     struct pl_call *decided);

/* barrier */
int pl_mpich_barrier_dissemination(struct pl_script *s,
				   const struct pl_call *call,
				   struct pl_err *err);
const struct pl_algorithm *pl_mpich_decide_barrier(const struct pl_call *call,
						   struct pl_call *decided);

#endif

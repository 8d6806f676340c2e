/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * MPICH 4.0 with the device ch4 over UCX and without shared memory of its own
 * (ch4:ucx, as Debian builds it), on one intracommunicator and with predefined
 * operations. MPI_IN_PLACE does not change the messages, but for an all-to-all,
 * which then runs an algorithm of its own that is not here. Names are those of
 * the variables MPIR_CVAR_X_INTRA_ALGORITHM, with hyphens; settings are their
 * numbers. "default" is the algorithm that its selection trees choose. The
 * algorithms of MPI_Reduce_scatter_block are called block-.... If the algorithm
 * that a variable names cannot serve a call, the library chooses as it does by
 * default.
 *
 * If hosts have several ranks, all-reduce, broadcast, reduce and barrier are
 * made of a part among the ranks of each host and a part among the leaders,
 * which are the first ranks of the hosts. The chosen algorithm runs in the
 * parts that are of its own collective.
 */
#ifndef PLINK_COSTMODELS_MPICH_ALGORITHMS_H
#define PLINK_COSTMODELS_MPICH_ALGORITHMS_H

#include "costmodels/algorithm.h"
#include "costmodels/blocks.h"
#include "costmodels/fold.h"

/* A rank of a communicator, and the script that its calls are written to. Rank
 * i of the communicator is position first + i * stride. */
struct pl_mpich_rank {
	struct pl_script *s;
	size_t n, first, stride;
	size_t rank, root; /* in the communicator */
	uint64_t bytes, element_bytes;
	bool in_place; /* the input is in the buffer of the result */
};

/* Writes the calls of one rank in a collective. Rounds begin at 0. */
typedef void pl_mpich_part(const struct pl_mpich_rank *r);

enum pl_mpich_level {
	PL_MPICH_ALL,     /* one communicator of all ranks */
	PL_MPICH_HOST,    /* a communicator for the ranks of each host */
	PL_MPICH_LEADERS, /* one communicator of the first rank of each host */
};

/* One of the parts that a collective consists of. */
struct pl_mpich_phase {
	enum pl_mpich_level level;
	pl_mpich_part *part;
	size_t root; /* in the communicator */
	/* PL_MPICH_HOST: only this host, all hosts but this one; counted from
	 * 1; 0: all hosts */
	size_t only_host, but_host;
	bool in_place;
};

/* Appends the phases to the script, one after the other: every rank runs them
 * after what it does in the script so far. One rank alone does nothing. 0, or
 * -1 with @err set. */
int pl_mpich_phases(struct pl_script *s, const struct pl_call *call,
		    const struct pl_mpich_phase *phase, size_t n_phases, struct pl_err *err);
/* The same with one phase, @part, among all ranks. */
int pl_mpich_flat(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		  struct pl_err *err);

/* Send and receive; @dst, @src and those of @x are ranks of the
 * communicator. */
void pl_mpich_send(const struct pl_mpich_rank *r, size_t dst, uint64_t bytes);
void pl_mpich_recv(const struct pl_mpich_rank *r, size_t src, uint64_t bytes);
void pl_mpich_sendrecv(const struct pl_mpich_rank *r, struct pl_exchange x);
/* The same without the wait. */
void pl_mpich_isend(const struct pl_mpich_rank *r, size_t dst, uint64_t bytes);
void pl_mpich_irecv(const struct pl_mpich_rank *r, size_t src, uint64_t bytes);

/* pl_mpich_sendrecv of parts of the buffer. */
struct pl_mpich_exchange {
	size_t dst, src;
	struct pl_range out, in;
	enum pl_taking taking; /* what is done with @in */
};
void pl_mpich_exchange(const struct pl_mpich_rank *r, struct pl_mpich_exchange x);

/* Does any host have several of the call's ranks (call->slots > 1)? */
bool pl_mpich_is_parent(const struct pl_call *call);
size_t pl_mpich_hosts(const struct pl_call *call);
/* The host of a position, and the rank's number on that host. */
size_t pl_mpich_host(const struct pl_call *call, size_t pos);
size_t pl_mpich_local(const struct pl_call *call, size_t pos);

bool pl_mpich_power_of_two(size_t n);

/* 0, or -1 with @err set (PL_EUSAGE): MPI counts elements in an int. */
int pl_mpich_check_count(const struct pl_call *call, struct pl_err *err);
/* The same, and also refuses more bytes than an int can count. */
int pl_mpich_check_bytes(const struct pl_call *call, struct pl_err *err);
/* As pl_mpich_check_count, and also refuses buffers that do not divide into
 * equal blocks for all ranks. */
int pl_mpich_check_blocks(const struct pl_call *call, struct pl_err *err);

/* The shape of "binomial" of a collective: the longest path or, if hosts have
 * several ranks, the sum over the rounds. 0, or -1 with @err set. */
int pl_mpich_tree_shape(struct pl_shape *shape, enum pl_collective collective,
			const struct pl_call *call, struct pl_err *err);

/*
 * Recursive doubling among any number of ranks: at distance 1, 2, 4, ... ranks
 * exchange the data of their groups, which then have twice the size. In a whole
 * group some ranks may have a peer beyond the last rank; they get the data from
 * ranks of their own group, which pass them on at half the distance each time.
 */
struct pl_mpich_doubling {
	/* The data of the group that has the @size ranks from @first on. */
	struct pl_range (*data)(const struct pl_mpich_rank *r, size_t first, size_t size);
	bool reduces;
	uint32_t round; /* of the first exchange */
};
/* Writes the calls of one rank; @first and the distances count ranks from the
 * root. */
void pl_mpich_double_up(const struct pl_mpich_rank *r, const struct pl_mpich_doubling *d);

/* Raises the cost of messages above PL_MPICH_EAGER_BYTES, which take
 * PL_MPICH_TRIPS one-way trips (pl_shape_weigh). */
void pl_mpich_weigh(struct pl_shape *shape);

/* all-reduce; @part runs among the leaders, or among all ranks */
int pl_mpich_allreduce(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err);
pl_mpich_part pl_mpich_allreduce_recursive_doubling_part;
pl_generate_fn pl_mpich_allreduce_recursive_doubling;
pl_generate_fn pl_mpich_allreduce_reduce_scatter_allgather;
pl_decide_fn pl_mpich_decide_allreduce;

/* A buffer in as many blocks as ranks remain after a fold, and the blocks that
 * one of these ranks has. */
struct pl_mpich_halves {
	struct pl_fold fold;
	struct pl_blocks blocks;
	size_t folded;   /* the rank's number in the fold */
	size_t first, n; /* the blocks that the rank has */
	uint32_t round;  /* of the next exchange */
};
/* The state of a rank at the start, when it has all blocks. @keeps as in
 * pl_fold. */
struct pl_mpich_halves pl_mpich_halves(const struct pl_mpich_rank *r, size_t keeps);
/* Exchanges halves with the ranks at distance 1, 2, ...: the rank gives away
 * one half of its blocks and reduces the half that it keeps. */
void pl_mpich_halve(const struct pl_mpich_rank *r, struct pl_mpich_halves *h);
/* The peer at distance @mask has as many blocks as this rank. Adds the peer's
 * blocks to those of the rank and returns them. */
struct pl_range pl_mpich_double(struct pl_mpich_halves *h, size_t mask);
struct pl_range pl_mpich_has(const struct pl_mpich_halves *h);

/* broadcast */
pl_mpich_part pl_mpich_broadcast_part; /* as decided for the communicator */
pl_mpich_part pl_mpich_broadcast_binomial_part;
pl_mpich_part pl_mpich_broadcast_recursive_doubling_part;
pl_mpich_part pl_mpich_broadcast_ring_part;
int pl_mpich_broadcast(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err);
pl_generate_fn pl_mpich_broadcast_binomial;
pl_shape_fn pl_mpich_broadcast_binomial_shape;
pl_generate_fn pl_mpich_broadcast_scatter_recursive_doubling_allgather;
pl_generate_fn pl_mpich_broadcast_scatter_ring_allgather;
pl_decide_fn pl_mpich_decide_broadcast;

/* reduce */
pl_mpich_part pl_mpich_reduce_part; /* as decided for the communicator */
pl_mpich_part pl_mpich_reduce_binomial_part;
pl_mpich_part pl_mpich_reduce_scatter_gather_part;
int pl_mpich_reduce(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		    struct pl_err *err);
pl_generate_fn pl_mpich_reduce_binomial;
pl_shape_fn pl_mpich_reduce_binomial_shape;
pl_generate_fn pl_mpich_reduce_reduce_scatter_gather;
pl_decide_fn pl_mpich_decide_reduce;

/* all-gather; pl_mpich_check_gathered: 0, or -1 with @err set (PL_EUSAGE),
 * because MPICH counts the offset of a rank's part of the result in an int */
int pl_mpich_check_gathered(const struct pl_call *call, struct pl_err *err);
int pl_mpich_allgather(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err);
pl_generate_fn pl_mpich_allgather_brucks;
pl_generate_fn pl_mpich_allgather_recursive_doubling;
pl_generate_fn pl_mpich_allgather_ring;
pl_shape_fn pl_mpich_allgather_ring_shape;
pl_decide_fn pl_mpich_decide_allgather;

/* reduce-scatter: MPI_Reduce_scatter, blocks of pl_blocks */
int pl_mpich_reduce_scatter(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
			    struct pl_err *err);
int pl_mpich_reduce_scatter_block(struct pl_script *s, const struct pl_call *call,
				  pl_mpich_part *part, struct pl_err *err);
pl_generate_fn pl_mpich_reduce_scatter_pairwise;
pl_generate_fn pl_mpich_reduce_scatter_recursive_doubling;
pl_generate_fn pl_mpich_reduce_scatter_recursive_halving;
pl_decide_fn pl_mpich_decide_reduce_scatter;

/* MPI_Reduce_scatter_block: equal blocks ("block-...") */
pl_generate_fn pl_mpich_reduce_scatter_block_noncommutative;
pl_generate_fn pl_mpich_reduce_scatter_block_pairwise;
pl_generate_fn pl_mpich_reduce_scatter_block_recursive_doubling;
pl_generate_fn pl_mpich_reduce_scatter_block_recursive_halving;
pl_decide_fn pl_mpich_decide_reduce_scatter_block;

/* all-to-all */
int pl_mpich_alltoall(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		      struct pl_err *err);
pl_generate_fn pl_mpich_alltoall_brucks;
pl_generate_fn pl_mpich_alltoall_pairwise;
pl_generate_fn pl_mpich_alltoall_scattered;
pl_shape_fn pl_mpich_alltoall_scattered_shape;
pl_decide_fn pl_mpich_decide_alltoall;

/* barrier */
pl_generate_fn pl_mpich_barrier_dissemination;
pl_decide_fn pl_mpich_decide_barrier;

#endif

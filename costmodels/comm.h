/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h - calls of a communicator, and collectives made of such calls */
#ifndef PLINK_COSTMODELS_COMM_H
#define PLINK_COSTMODELS_COMM_H

#include "costmodels/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Flavours; those of one kernel alone are where it is declared. */
enum {
	/* in a call of no bytes messages are sent all the same */
	PL_SENDS_EMPTY = 1 << 0,
	/* but parts of no bytes are not sent */
	PL_LEAVES_EMPTY = 1 << 1,
	/* an exchange waits for its send, then for its receive; else for both together */
	PL_SENDS_FIRST = 1 << 2,
	/* messages say which bytes of the buffer they are */
	PL_PLACES = 1 << 3,
	/* works in the caller's buffer: nothing is copied before */
	PL_IN_PLACE = 1 << 4,
	/* the own block is copied last, not first */
	PL_OWN_LAST = 1 << 5,
	/* blocks are rounded up: the last ones are short or empty; else even */
	PL_ROUNDS_UP = 1 << 6,
	/* the objective counts handshakes: a message above the library's eager limit takes several
	 * one-way trips */
	PL_SHAKES_HANDS = 1 << 7,
	/* messages are contributions as they were at first, which an all-reduce adds up in the end
	 * (pl_script_buffer) */
	PL_GATHERS_BUFFERS = 1 << 8,
	PL_OWN_FLAVOUR = 1 << 9, /* the first one for a kernel's own */
};

/* ---- blocks of a buffer */

/* A buffer in n blocks: of step_bytes each, the first ones of one element more; the last ones may
 * be short or empty, and the last one longer. */
struct pl_blocks {
	uint64_t bytes, element_bytes;
	size_t n, n_longer;
	uint64_t step_bytes;
	uint64_t at; /* of the first one in the buffer of the call: of ranges only */
};
/* Of whole elements, as equal as they can be. */
struct pl_blocks pl_blocks_even(const struct pl_call *call, size_t n);
/* The elements divided by n, rounded up. */
struct pl_blocks pl_blocks_up(const struct pl_call *call, size_t n);
/* As many of @step bytes as it takes, @bytes in all. */
struct pl_blocks pl_blocks_in_steps(uint64_t bytes, uint64_t step);
/* Of call->bytes each. */
struct pl_blocks pl_blocks_each(const struct pl_call *call, size_t n);

/* A part of a buffer; where it begins, and its size. */
struct pl_range {
	uint64_t at, bytes;
};
/* Where block @i begins, its bytes, and the @count blocks from @first on. Blocks behind the last
 * one are empty. */
static inline uint64_t pl_block_at(const struct pl_blocks *b, size_t i)
{
	const size_t longer = i < b->n_longer ? i : b->n_longer;
	const uint64_t at = i * b->step_bytes + longer * b->element_bytes;

	return i < b->n && at < b->bytes ? at : b->bytes;
}
uint64_t pl_block_bytes(const struct pl_blocks *b, size_t i);
struct pl_range pl_block_range(const struct pl_blocks *b, size_t first, size_t count);
/* The same, but behind the last block comes block 0. */
struct pl_range pl_block_range_round(const struct pl_blocks *b, size_t first, size_t count);

bool pl_is_power_of_two(size_t n);
unsigned pl_log2(size_t n); /* rounded down; n > 0 */

/* ---- a communicator, and its ranks */

/* A call by the ranks of a communicator: rank i is position first + i * apart of the script, but
 * rank 0 and rank @swapped have changed places. */
struct pl_comm_call {
	struct pl_script *s;
	struct pl_call call; /* in ranks of the communicator */
	size_t first, apart, swapped;
	bool in_place;                   /* the input is in the buffer of the result */
	const struct pl_span_tree *tree; /* those of pl_algorithm.plant, or NULL */
	const void *own;                 /* what pl_algorithm.whole has prepared for the kernel */
};

/* One of its ranks, while what it calls is written. In sends and receives peers are ranks, too
 * (pl_script_view). */
struct pl_rank {
	const struct pl_algorithm *a;
	const struct pl_comm_call *comm;
	struct pl_script *s;
	size_t n, rank;
	size_t root, me; /* me: counted from the root. Collectives without one: 0, the rank */
	uint64_t bytes, element_bytes;
};

/* The number behind the algorithm's name, or what stands for it. */
size_t pl_algorithm_radix(const struct pl_algorithm *a, const struct pl_call *call);

/* Writes what all ranks call. Rules are asked, fallbacks taken. 0, or -1 with @err set. */
int pl_comm_write(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err);
/* The same; every rank does it after what it does in the script so far. */
int pl_comm_append(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err);
/* Writes what the kernel has each rank call, or all of what runs in its place. */
int pl_comm_write_ranks(const struct pl_comm_call *c, const struct pl_algorithm *a,
			struct pl_err *err);

/* The rank so far behind the root. */
size_t pl_rank_behind(const struct pl_rank *r, size_t counted);

/* Waits for the @i-th of the requests that were posted in a row from @first on. */
void pl_rank_wait_nth(const struct pl_rank *r, struct pl_request first, size_t i);

/* pl_script_isend and so on of a part of the buffer, which is taken so. */
struct pl_request pl_rank_isend(const struct pl_rank *r, size_t dst, struct pl_range part,
				enum pl_taking taking);
struct pl_request pl_rank_irecv(const struct pl_rank *r, size_t src, struct pl_range part,
				enum pl_taking taking);
void pl_rank_send(const struct pl_rank *r, size_t dst, struct pl_range part, enum pl_taking taking);
void pl_rank_recv(const struct pl_rank *r, size_t src, struct pl_range part, enum pl_taking taking);

/* Exchanges parts of the buffer: @out to one rank, @in, which is taken so, from one (dst, src):
 * pl_script_sendrecv with PL_LEAVES_EMPTY, PL_SENDS_FIRST. */
void pl_rank_swap(const struct pl_rank *r, size_t dst, size_t src, struct pl_range out,
		  struct pl_range in, enum pl_taking taking);

/* The same with one peer. */
void pl_rank_trade(const struct pl_rank *r, size_t peer, struct pl_range out, struct pl_range in,
		   enum pl_taking taking);
/* The same to the rank @distance further on, from the one as far behind. */
void pl_rank_shift(const struct pl_rank *r, size_t distance, struct pl_range out,
		   struct pl_range in, enum pl_taking taking);

/* What a collective is about, in a block for each rank: blocks of call.bytes where sizes mean that
 * (pl_collective_is_by_block), else the buffer; PL_ROUNDS_UP. */
struct pl_blocks pl_rank_blocks(const struct pl_rank *r);
/* How messages are marked that are @taking: not at all without PL_PLACES. */
enum pl_taking pl_rank_taking(const struct pl_rank *r, enum pl_taking taking);

/* ---- collectives made of collectives */

/* One part of a collective: @a, among all ranks, among those of each host, or among one of each
 * host, its leader. */
struct pl_phase {
	const struct pl_algorithm *a;
	enum { PL_ALL_RANKS, PL_HOSTS, PL_LEADERS } level;
	size_t root;    /* in the communicator */
	size_t leader;  /* its number on its host */
	uint64_t bytes; /* 0: those of the call */
	/* only this host, all hosts but this; counted from 1; 0: all */
	size_t only_host, but_host;
	size_t swapped; /* as in struct pl_comm_call */
	bool in_place;
};

/* Appends the phases to the script, one after the other; hosts have call->slots consecutive ranks.
 * A communicator of one rank does nothing, unless it is that of the leaders. 0, or -1 with @err
 * set. */
int pl_phases_append(struct pl_script *s, const struct pl_call *call, const struct pl_phase *phase,
		     size_t n_phases, struct pl_err *err);

/* The number of hosts. */
size_t pl_call_hosts(const struct pl_call *call);

/* ---- folding: any number of ranks made a power of two, as libraries do it */

/* Some ranks give what they have to a partner, and stay out; the others are numbered anew. */
enum pl_folding {
	PL_EVEN_STAYS, /* pairs of the first ranks; the odd ones stay out */
	PL_ODD_STAYS,  /* the even ones */
	PL_FIRST_STAY, /* the last ranks stay out; their partners are the first ones */
	PL_LAST_PAIRS, /* pairs of the last ranks; the second one stays out */
};
struct pl_fold {
	size_t n, extra;    /* ranks that remain, ranks that stay out */
	size_t from, keeps; /* the first of the pairs, and which of a pair stays */
	bool apart;         /* no pairs: the last ranks stay out */
};
struct pl_fold pl_fold(size_t n_ranks, enum pl_folding folding);
/* The rank with a new number, and the first of the ranks that it stands for; the new number of a
 * rank, and its partner: SIZE_MAX where it has none. */
size_t pl_fold_rank(const struct pl_fold *f, size_t folded);
size_t pl_fold_first(const struct pl_fold *f, size_t folded);
size_t pl_fold_number(const struct pl_fold *f, size_t rank);
size_t pl_fold_partner(const struct pl_fold *f, size_t rank);

/* Who stays out gives its buffer to its partner, to be added (round 0); and gets the result. */
void pl_fold_in(const struct pl_rank *r, const struct pl_fold *f);
void pl_fold_out(const struct pl_rank *r, const struct pl_fold *f, uint32_t round);

/* ---- checks: 0, or -1 with @err set (PL_EUSAGE) */

/* MPI counts elements in an int. */
pl_check_fn pl_check_count;
/* The same, and the elements must make equal blocks, as for MPI_Reduce_scatter_block. */
pl_check_fn pl_check_equal_blocks;

#endif

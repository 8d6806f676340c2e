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
};

/* Whose algorithm: the thesis' own form, or that of a library. */
enum pl_impl {
	PL_THESIS,
	PL_OPENMPI,
	PL_GLOO,
	PL_NCCL,
	PL_LIGHTGBM,
	PL_MPICH,
};

/*
 * One call of a collective by n_pos ranks; positions are ranks. Zero in a field
 * with a default means the default.
 */
struct pl_call {
	size_t n_pos;
	/*
	 * All-reduce, broadcast, reduce: the buffer of a rank. Reduce-scatter:
	 * the input of a rank, all blocks. All-gather: the block one rank
	 * gives. Barrier: nothing. At most INT64_MAX, a multiple of
	 * element_bytes.
	 */
	uint64_t bytes;
	uint64_t element_bytes; /* 4: a float */
	uint64_t segment_bytes; /* the library's own; algorithms in segments */
	size_t radix;           /* BCube's B, the number of chains, ... */
	size_t root;            /* broadcast, reduce */
	size_t slots;           /* ranks of a host, one after the other: 1 */
	/* of NCCL: positions are hosts, which have different numbers of ranks,
	 * so many in all; 0: positions are ranks */
	size_t n_ranks;
};

/*
 * One algorithm of one library. Static tables of these, one for each folder;
 * the catalogue puts them together.
 */
struct pl_algorithm {
	enum pl_collective collective;
	enum pl_impl impl;
	const char *name;    /* as in options: "ring", "bcube" */
	const char *summary; /* one line, for lists */
	bool takes_radix;    /* "bcube:4" */
	bool takes_segment;  /* the call's segment_bytes matter */
	int setting;         /* the library's own number for it; 0: none */
	/* Writes what every rank does in that call. 0, or -1 with @err set. The
	 * call has been checked: n_pos >= 1, root < n_pos, defaults filled
	 * in. */
	int (*generate)(struct pl_script *script, const struct pl_call *call,
			struct pl_err *err);
	/* The cheapest faithful objective for the solver; NULL: the sum over
	 * the pattern's rounds of their dearest hop. */
	int (*shape)(struct pl_shape *shape, const struct pl_call *call,
		     struct pl_err *err);
	/* Makes hops dearer that cost more than one way and their bytes, as by
	 * a handshake; NULL: there are none. */
	void (*weigh)(struct pl_shape *shape);
	/* A table entry that is a rule, not an algorithm ("default"): the
	 * algorithm the library takes for that call, and what it changes in the
	 * call (segments). NULL for all others. */
	const struct pl_algorithm *(*decide)(const struct pl_call *call,
					     struct pl_call *decided);
};

#endif

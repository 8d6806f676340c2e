/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-args.h - the command line of bench/allreduce */
#ifndef PLINK_BENCH_ALLREDUCE_ARGS_H
#define PLINK_BENCH_ALLREDUCE_ARGS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define ALLREDUCE_SIZES_MAX 64

enum allreduce_action { ALLREDUCE_RUN, ALLREDUCE_HELP, ALLREDUCE_VERSION };

struct allreduce_args {
	enum allreduce_action action;
	size_t size_bytes[ALLREDUCE_SIZES_MAX]; /* multiples of 4 */
	size_t n_sizes;
	int blocks, iterations; /* at least 1 */
	int warmup;             /* all-reduces before the first block, from 0 */
	int block_ms;           /* with a block longer than this: fewer iterations and
				   warm-up; 0: never */
	bool per_block;         /* print the mean of each block, not each all-reduce */
	bool leave;             /* end without MPI_Finalize */
	bool digest;            /* print the bits of a rounded sum */
};

/* Sets the defaults, then what argv says. 0, or -1 with @err set
 * (PL_EUSAGE). */
int allreduce_args_parse(struct allreduce_args *args, int argc, char **argv, struct pl_err *err);

/* Prints the help text to stdout; returns the exit status. */
int allreduce_args_help(void);

#endif

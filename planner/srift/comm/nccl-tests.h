/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-tests.h - what all_reduce_perf of nccl-tests prints */
#ifndef PLINK_PLANNER_SRIFT_COMM_NCCL_TESTS_H
#define PLINK_PLANNER_SRIFT_COMM_NCCL_TESTS_H

#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_NCCL_RANKS_MAX 1000000

/* Its lines until now. Start with {0}; borrows from the text. */
struct pl_nccl_tests {
	size_t n_ranks;        /* of "# Rank 7 ..." and "# ranks 8"; 0: none yet */
	size_t n_first;        /* those with "Group 0" */
	bool split;            /* others are of other groups: each has its own all-reduces */
	bool has_rows;         /* what says ranks stands before them */
	struct pl_line prefix; /* what launchers write before each line (--tag-output) */
	/* of its table, counted from 0; -1: it has none. n 0: no table yet */
	struct {
		int n, redop, time, algbw, busbw;
	} column;
};

/* An all-reduce: in place, if the table has both. */
struct pl_nccl_row {
	double bytes, seconds;
};

/* Is it the heading of a table: "# size count ...", perhaps behind the prefix of a launcher? */
bool pl_nccl_tests_is_heading(const struct pl_line *line);

/* The ranks of one all-reduce; 0: not known. */
size_t pl_nccl_tests_ranks(const struct pl_nccl_tests *t);

/* Takes the next line. 1: it is a row; 0: it is none (lines of the launcher and of NCCL may come in
 * between), or of 0 bytes; -1 with @err set: PL_EINPUT with the place, also where it is a row of
 * another collective. */
int pl_nccl_tests_line(struct pl_nccl_tests *t, struct pl_line *line, struct pl_nccl_row *row,
		       struct pl_err *err);

#endif

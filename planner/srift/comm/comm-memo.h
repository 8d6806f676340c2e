/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-memo.h - a network model with a memory: each question is asked once */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_MEMO_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_MEMO_H

#include "planner/srift/comm/comm.h"

#include <stddef.h>

/* An answer; n_ranks 0: an empty entry. */
struct pl_comm_answer {
	double bytes; /* 0: the cap */
	size_t n_ranks;
	double bytes_per_s; /* NaN: the model does not know */
};

/* Start with {.given = model}, end with fini. */
struct pl_comm_memo {
	struct pl_comm given;
	struct pl_comm_answer *answer; /* [size], by hash */
	size_t size, used;
};
void pl_comm_memo_fini(struct pl_comm_memo *memo);

/* The bandwidth for @bytes, or for 0 bytes the cap. 1; 0 if the model does not know the answer; -1
 * with @err set for any other error. */
int pl_comm_memo_find(struct pl_comm_memo *memo, double bytes, size_t n_ranks, double *bytes_per_s,
		      struct pl_err *err);

/* The same with the return values of a model: 0, or -1 with @err set: PL_EUSAGE if the model does
 * not know the answer. */
int pl_comm_memo_ask(struct pl_comm_memo *memo, double bytes, size_t n_ranks, double *bytes_per_s,
		     struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-memo.h - a model of the network that is asked the same thing but once */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_MEMO_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_MEMO_H

#include "planner/srift/comm/comm.h"

#include <stddef.h>

/* An answer; n_ranks 0: none here. */
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

/* 1; 0 where the model does not know that; -1 with @err set for all else. */
int pl_comm_memo_bandwidth(struct pl_comm_memo *memo, double bytes,
			   size_t n_ranks, double *bytes_per_s,
			   struct pl_err *err);
int pl_comm_memo_cap(struct pl_comm_memo *memo, size_t n_ranks,
		     double *bytes_per_s, struct pl_err *err);

/* The same as the functions of a model have it: 0 or -1, PL_EUSAGE for what the
 * model does not know. Of 0 bytes: the cap. */
int pl_comm_memo_ask(struct pl_comm_memo *memo, double bytes, size_t n_ranks,
		     double *bytes_per_s, struct pl_err *err);

#endif

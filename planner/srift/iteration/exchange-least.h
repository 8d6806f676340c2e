/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-least.h - when transfers end at the earliest that are known within
 * bounds */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_LEAST_H
#define PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_LEAST_H

#include <stddef.h>
#include <stdint.h>

/* One all-reduce, of which this much is known. */
struct pl_transfer_range {
	double ready_s[2];     /* no earlier, no later */
	double wire_bytes;     /* at least */
	double bytes_per_s[2]; /* on its own: from, to */
	double end_s;          /* comes out: it does not end before */
};

/* What all of them share. */
struct pl_exchange_range {
	double cap_bytes_per_s; /* at most; INFINITY: no limit */
	size_t at_once;         /* as pl_exchange_options has it */
	double enough_s;        /* a later end need not be proved */
	double *scratch;        /* [PL_EXCHANGE_LEAST_SCRATCH * n] */
	uint64_t steps;         /* grows by the work done */
};
#define PL_EXCHANGE_LEAST_SCRATCH 13

/*
 * The last end of n transfers that pl_exchange() plays out, at the earliest,
 * whatever they are within these bounds; there may be others besides.
 *
 * By eq. (2) of srift 4.3 c transfers under way get min(b, b_cap / c) each
 * where their b add up to b_cap: more of them may be done later, for all. That
 * a transfer which is ready sooner ends sooner is not true of the whole, and
 * there is no such argument here. But a transfer is under way, for sure, from
 * when it is ready at the latest until it ends at the earliest. Where those
 * that are under way for sure add up to b_cap, no transfer gets more than b_cap
 * over their number; elsewhere none gets more than its b. That gives ends which
 * are later, and so on until nothing changes.
 */
double pl_exchange_least(struct pl_transfer_range *t, size_t n,
			 struct pl_exchange_range *x);

#endif

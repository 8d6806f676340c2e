/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange-least.h - the earliest possible end of transfers that are known within bounds */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_LEAST_H
#define PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_LEAST_H

#include <stddef.h>
#include <stdint.h>

/* One all-reduce, known within bounds. */
struct pl_transfer_range {
	double ready_s[2];     /* earliest, latest */
	double wire_bytes;     /* at least */
	double bytes_per_s[2]; /* on its own: least, most */
	double end_s;          /* result: it does not end before */
};

/* What all transfers share. */
struct pl_exchange_range {
	double cap_bytes_per_s; /* at most; INFINITY: no limit */
	size_t at_once;         /* as in pl_exchange_options */
	double enough_s;        /* the search may stop at this end */
	double *scratch;        /* [PL_EXCHANGE_LEAST_SCRATCH * n] */
	uint64_t steps;         /* counts the work done */
};
#define PL_EXCHANGE_LEAST_SCRATCH 13

/*
 * A lower bound on the time when the last of n transfers ends, as pl_exchange() simulates them, for
 * all values within these bounds; other transfers may run besides.
 *
 * By eq. (2) of srift 4.3, c transfers under way get min(b, b_cap / c) each if the sum of their b
 * reaches b_cap. Then more transfers at once mean later ends for all. An earlier start of one
 * transfer need not make the whole end earlier, so the bound must not assume that. But a transfer
 * is certainly under way from its latest ready time to its earliest end. While the transfers that
 * are certainly under way add up to b_cap, no transfer gets more than b_cap over their number; at
 * other times none gets more than its b. This gives later ends, with which the step is repeated
 * until nothing changes.
 */
double pl_exchange_least(struct pl_transfer_range *t, size_t n, struct pl_exchange_range *x);

#endif

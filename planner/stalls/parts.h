/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - the stalls of a run, what an epoch takes and costs */
#ifndef PLINK_PLANNER_STALLS_PARTS_H
#define PLINK_PLANNER_STALLS_PARTS_H

#include "planner/catalogue/catalogue.h"
#include "planner/stalls/runs.h"

#include <stdbool.h>

enum pl_stall {
	PL_STALL_INTERCONNECT, /* t2 - t1: between the GPUs of a machine */
	PL_STALL_NETWORK,      /* t5 - t2: between machines */
	PL_STALL_PREP,         /* t4 - t2: samples are decoded, augmented */
	PL_STALL_FETCH,        /* t3 - t4: samples are read from storage */
};
#define PL_STALLS 4

/* Each stall of an iteration in seconds and as a share. NaN: a step that it needs is not measured.
 * Negative ones stay: noise, or a second machine that is better than the first one's inside. */
struct pl_stall_parts {
	double s[PL_STALLS];
	/* interconnect: of t1; network: of t2 (stash, V); prep and fetch: of t3, or of t4 where t3
	 * is missing */
	double share[PL_STALLS];
	double error_s[PL_STALLS]; /* standard errors; 0: not known */
};

/* "interconnect", "network", "prep", "fetch" */
const char *pl_stall_name(enum pl_stall stall);

/* The seconds of a step of the run, or NaN. A single GPU needs no other step than t1 to know t2. */
double pl_stall_seconds(const struct pl_stall_run *run, enum pl_stall_step step);

struct pl_stall_parts pl_stall_parts_of(const struct pl_stall_run *run);

/* An epoch of a run: ceil(samples / (batch * gpus)) iterations. */
struct pl_stall_epoch {
	double s;       /* NaN: not known */
	double dollars; /* NaN: no price, or not known */
	/* what its iterations take: t4, else t3, else t2 */
	enum pl_stall_step step;
	/* of several machines: t5, and what real data adds on one machine */
	bool added;
};

/* @price is of an hour of one machine; NaN: not known. @apart: on the machines of t5. */
struct pl_stall_epoch pl_stall_epoch_of(const struct pl_stall_run *run, bool apart, double price);

/* The lowest price of an hour, or NaN. @region: NULL for any. */
double pl_stall_price(const struct pl_catalogue *c, const char *instance, const char *region,
		      enum pl_market_kind kind);

#endif

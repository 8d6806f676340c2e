/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - does an aggregator in each rack pay? (inequality 2.3 of the PLink
 * thesis) */
#ifndef PLINK_PLANNER_RACK_LEVELS_H
#define PLINK_PLANNER_RACK_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

/* Rates in bytes a second, each way. */
struct pl_rack_levels {
	size_t n_racks, n_workers; /* workers of a rack */
	double core;               /* what a rack can send to the others */
	double hub;                /* of an aggregator in each rack */
	double worker;
	/* seconds of the exchange between racks for each byte; NaN: of a ring
	 * or of shards, (R - 1) / (R min(hub, core)) */
	double between_s_per_byte;
};

/* Seconds for each byte of gradients. */
struct pl_rack_levels_time {
	double flat;           /* shards on all hosts: N (R - 1) / (R core) */
	double local, between; /* max(N / hub, 1 / worker), and C */
	bool pays;             /* flat > local + between */
};

struct pl_rack_levels_time pl_rack_levels_judge(const struct pl_rack_levels *l);

#endif

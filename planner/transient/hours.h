/* SPDX-License-Identifier: BSD-3-Clause */
/* hours.h - whether machines that are started at some hours of the day are lost less often */
#ifndef PLINK_PLANNER_TRANSIENT_HOURS_H
#define PLINK_PLANNER_TRANSIENT_HOURS_H

#include "base/err.h"
#include "planner/transient/lifetimes.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_HOURS_BANDS 24 /* at most */
#define PL_HOURS_LEVEL 0.05
#define PL_HOURS_LEAST 5 /* losses expected in a band, and in all others */

/* Machines started from hour k * width on, and before the next band. */
struct pl_hours_band {
	size_t n, lost;
	double expected; /* losses, if hours made no difference */
	/* The log-rank test of Mantel (1966) of this band against all others:
	 * how likely chance alone makes as large a difference, times the
	 * number of bands (Bonferroni), at most 1; NaN: fewer losses are
	 * expected than PL_HOURS_LEAST */
	double p;
};

struct pl_hours {
	size_t width;                              /* hours */
	struct pl_hours_band band[PL_HOURS_BANDS]; /* [n] */
	size_t n;
	size_t n_lives; /* whose hour is known */
	/* the band with the least share of the expected losses among those
	 * with fewer and with p < PL_HOURS_LEVEL; n: there is none */
	size_t best;
};

/* @width divides 24. 0, or -1 with @err set: out of memory. */
int pl_hours_make(struct pl_hours *h, const struct pl_life_group *group, size_t width,
		  struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* gap-time.h - how near rings get to the best one in a given time */
#ifndef PLINK_BENCH_GAP_TIME_H
#define PLINK_BENCH_GAP_TIME_H

#include "bench/instances.h"
#include "base/err.h"

#include <stdint.h>

#define GAP_SEEDS_MAX 99

struct gap_time_options {
	double seconds;
	int64_t n_seeds; /* 1 .. GAP_SEEDS_MAX */
	int64_t threads; /* of plink; the thesis' stages have one */
};

void gap_time_head(void);

/*
 * Prints rows for a sixteenth, a quarter and all of the seconds, each with runs of its own: of
 * plink's search, which first computes its bound in at most half of the time, as plink-order --time
 * does; and of the thesis' stages. 0, or -1 with @err set.
 */
int gap_time(const struct instance *in, const struct gap_time_options *options, struct pl_err *err);

#endif

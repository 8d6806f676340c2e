/* SPDX-License-Identifier: BSD-3-Clause */
/* gap-time.h - how near to the best ring in how much time, beside the thesis */
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
 * Rows for a sixteenth, a quarter and all of the seconds, each of runs of its
 * own: plink's search, after its bound for at most half of the time, as
 * plink-order --time does; and the thesis' stages. 0, or -1 with @err set.
 */
int gap_time(const struct instance *in, const struct gap_time_options *options,
	     struct pl_err *err);

#endif

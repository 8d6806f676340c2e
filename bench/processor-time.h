/* SPDX-License-Identifier: BSD-3-Clause */
/* processor-time.h - for benches: work that ends after so many seconds of the processor */
#ifndef PLINK_BENCH_PROCESSOR_TIME_H
#define PLINK_BENCH_PROCESSOR_TIME_H

#include "base/stop.h"

/* Of this process, all its threads together. */
double processor_seconds(void);

/* Ends work @seconds of the processor from now, or never where that is 0. One at a time: the next
 * call replaces it. */
const struct pl_stop *processor_stop(double seconds);

#endif

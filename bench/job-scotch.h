/* SPDX-License-Identifier: BSD-3-Clause */
/* job-scotch.h - a job's communicators as traffic between hosts, for Scotch */
#ifndef PLINK_BENCH_JOB_SCOTCH_H
#define PLINK_BENCH_JOB_SCOTCH_H

#include "base/err.h"
#include "order/job/cost.h"

#include <stddef.h>

/*
 * host_at[seats.n] becomes the order that Scotch finds for what the seats send to each other in a
 * step, where by_rack[seats.n] has the hosts of one rack after the other, @rack each. It stays as
 * it was where Scotch is missing. 0, or -1 with @err set.
 */
int job_scotch(const struct pl_job_cost_options *o, size_t rack, const size_t *by_rack,
	       size_t *host_at, struct pl_err *err);

#endif

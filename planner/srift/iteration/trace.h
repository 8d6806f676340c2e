/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - an iteration as a timeline that Perfetto and chrome://tracing
 * open */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_TRACE_H
#define PLINK_PLANNER_SRIFT_ITERATION_TRACE_H

#include "base/err.h"
#include "planner/srift/iteration/iteration.h"

#include <stdio.h>

/*
 * Writes JSON in Chrome's trace event format, times in us from the beginning of
 * the forward pass: both passes, when the gradients of each layer are there,
 * and the all-reduces, those that overlap in lines of their own. 0, or -1 with
 * @err set; the caller closes.
 */
int pl_iteration_trace(const struct pl_iteration *it,
		       const struct pl_profile *profile, FILE *out,
		       struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - writes an iteration as a timeline for Perfetto and
 * chrome://tracing */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_TRACE_H
#define PLINK_PLANNER_SRIFT_ITERATION_TRACE_H

#include "base/err.h"
#include "planner/srift/iteration/iteration.h"

#include <stdio.h>

/*
 * Writes JSON in Chrome's trace event format, with times in us from the
 * beginning of the forward pass: both passes, the times when the gradients of
 * each layer are ready, and the all-reduces, with overlapping ones on separate
 * lines. 0, or -1 with @err set; the caller closes @out.
 */
int pl_iteration_trace(const struct pl_iteration *it,
		       const struct pl_profile *profile, FILE *out,
		       struct pl_err *err);

#endif

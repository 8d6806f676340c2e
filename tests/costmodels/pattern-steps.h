/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-steps.h - what a position of a pattern posts and waits for,
 * digested */
#ifndef PLINK_TESTS_COSTMODELS_PATTERN_STEPS_H
#define PLINK_TESTS_COSTMODELS_PATTERN_STEPS_H

#include "costmodels/pattern.h"

#include <stddef.h>
#include <stdint.h>

/* What posts_end (mpi-posts.h) gives for a rank that does what @pos does. 0 on
 * lack of memory. */
uint64_t pattern_steps(const struct pl_pattern *p, size_t pos);

/* The same of the order of posts alone: of each send its destination and bytes,
 * how many receives are posted before or with it, and whether it is
 * synchronous; then how many receives there are. */
uint64_t pattern_posts(const struct pl_pattern *p, size_t pos);

#endif

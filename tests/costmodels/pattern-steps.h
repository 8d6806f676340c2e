/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-steps.h - what a position of a pattern posts and waits for,
 * digested */
#ifndef PLINK_TESTS_COSTMODELS_PATTERN_STEPS_H
#define PLINK_TESTS_COSTMODELS_PATTERN_STEPS_H

#include "costmodels/pattern.h"

#include <stddef.h>
#include <stdint.h>

/* The digest that posts_end() (mpi-posts.h) gives for a rank that posts and waits as @pos does. 0:
 * no memory. */
uint64_t pattern_steps(const struct pl_pattern *p, size_t pos);

/* A digest of the order of posts alone: for each send its destination, its bytes, how many receives
 * are posted before or with it, and whether it is synchronous; then the number of receives. */
uint64_t pattern_posts(const struct pl_pattern *p, size_t pos);

#endif

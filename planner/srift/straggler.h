/* SPDX-License-Identifier: BSD-3-Clause */
/* straggler.h - the slowest machine of each iteration */
#ifndef PLINK_PLANNER_SRIFT_STRAGGLER_H
#define PLINK_PLANNER_SRIFT_STRAGGLER_H

#include "planner/srift/selection.h"
#include "src/rng.h"

#include <stddef.h>

/* The x that a standard normal draw exceeds with probability @q in (0, 1). */
double pl_normal_exceeds(double q);

/* The greatest of n standard normal draws, n > 0: one random number, distributed
 * as the maximum is. */
double pl_normal_max(struct pl_rng *rng, size_t n);

/* Mean seconds of the slowest machine. */
struct pl_slowest {
	double forward_s, backward_s;
	double *part_s; /* [n_parts] of backward_s, where that part is slowest */
};

/*
 * In each of @iterations > 0 every machine computes for a time drawn from a normal
 * distribution: mean forward_s + backward_s of its part, standard deviation so many
 * times that as the profile's straggler says. All wait for the slowest, whose
 * time is split into forward and backward pass as its part's are (srift 4.3).
 * 0, or -1: no memory. Release part_s with free().
 */
int pl_slowest_draw(struct pl_slowest *slowest, const struct pl_selection *sel,
		    size_t iterations, struct pl_rng *rng);

#endif

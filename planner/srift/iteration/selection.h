/* SPDX-License-Identifier: BSD-3-Clause */
/* selection.h - which machines a job runs on, each with how many samples */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_SELECTION_H
#define PLINK_PLANNER_SRIFT_ITERATION_SELECTION_H

#include "base/err.h"
#include "planner/srift/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

#define PL_SELECTION_MACHINES_MAX 1000000

/* So many machines of one type. */
struct pl_selection_part {
	const struct pl_profile_instance *instance; /* of the profile */
	size_t count;
	uint64_t batch;        /* samples of each machine in an iteration */
	double price_per_hour; /* of each; NaN: not told */
	double forward_s, backward_s; /* at that batch */
};

/* Start with {0}, end with fini. Borrows from the profile. */
struct pl_selection {
	struct pl_selection_part *part;
	size_t n_parts, room;
};

/*
 * "4xp3.8xlarge@1024,8xg3.8xlarge@128": count, type and samples of each
 * machine. With @global, not 0, "@..." is left out everywhere and the samples
 * are split evenly. 0, or -1 with the selection empty and @err set (PL_EUSAGE):
 * no selection, a type the profile lacks or that comes twice, a batch that
 * cannot be split evenly over the machines or a machine's accelerators, or that
 * the profile does not span: more than its last batch does not fit, below its
 * first nothing was measured.
 */
int pl_selection_parse(struct pl_selection *sel, const char *s, uint64_t global,
		       const struct pl_profile *profile, struct pl_err *err);
void pl_selection_fini(struct pl_selection *sel);

/* "p3.8xlarge=3.68,g3.8xlarge=0.69": prices of an hour, for every type
 * selected. 0, or -1 with @err set (PL_EUSAGE). */
int pl_selection_prices(struct pl_selection *sel, const char *s,
			struct pl_err *err);

size_t pl_selection_machines(const struct pl_selection *sel);
size_t pl_selection_ranks(const struct pl_selection *sel);
/* All samples of an iteration. */
uint64_t pl_selection_batch(const struct pl_selection *sel);

/* Of all machines together, NaN where one was not told; and of so many
 * seconds. */
double pl_selection_per_hour(const struct pl_selection *sel);
double pl_selection_cost(const struct pl_selection *sel, double seconds);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* selection.h - the machines of a job, and the samples of each */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_SELECTION_H
#define PLINK_PLANNER_SRIFT_ITERATION_SELECTION_H

#include "base/err.h"
#include "planner/srift/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

#define PL_SELECTION_MACHINES_MAX 1000000

/* A number of machines of one type. */
struct pl_selection_part {
	const struct pl_profile_instance *instance; /* of the profile */
	size_t count;
	uint64_t batch;               /* samples of each machine in an iteration */
	double price_per_hour;        /* of each; NaN: not given */
	double forward_s, backward_s; /* at that batch */
};

/* Start with {0}, end with fini. Borrows from the profile. */
struct pl_selection {
	struct pl_selection_part *part;
	size_t n_parts, room;
	/* hosts beside the ranks that only add up (hubs), and their type; NULL: not given */
	size_t n_hubs;
	const char *hub;
	double hub_price_per_hour; /* of each */
};

/*
 * Parses "4xp3.8xlarge@1024,8xg3.8xlarge@128": count, type and samples of each machine. If @global
 * is not 0, no part may have "@...", and the @global samples are split evenly. 0, or -1 with the
 * selection empty and @err set (PL_EUSAGE): no such syntax, a type that the profile lacks or that
 * comes twice, a batch that cannot be split evenly over the machines or the accelerators of a
 * machine, or a batch outside the profile: more than its last batch does not fit, and below its
 * first batch nothing was measured.
 */
int pl_selection_parse(struct pl_selection *sel, const char *s, uint64_t global,
		       const struct pl_profile *profile, struct pl_err *err);
void pl_selection_fini(struct pl_selection *sel);

/* Parses "p3.8xlarge=3.68,g3.8xlarge=0.69": prices of an hour, for every type selected, that of
 * hubs among them. 0, or -1 with @err set (PL_EUSAGE). */
int pl_selection_prices(struct pl_selection *sel, const char *s, struct pl_err *err);

/* Seconds of part->forward_s that a machine waits for its samples. */
double pl_selection_data_s(const struct pl_selection_part *part);

size_t pl_selection_machines(const struct pl_selection *sel);
size_t pl_selection_ranks(const struct pl_selection *sel);
/* Samples of an iteration, on all machines. */
uint64_t pl_selection_batch(const struct pl_selection *sel);

/* Dollars of all machines, with hubs, for an hour, or for @seconds; NaN if a price was not
 * given. */
double pl_selection_per_hour(const struct pl_selection *sel);
double pl_selection_cost(const struct pl_selection *sel, double seconds);

#endif

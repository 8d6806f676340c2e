/* SPDX-License-Identifier: BSD-3-Clause */
/* branch.h - hosts behind a relay, which starts their agents and carries what
 * they say */
#ifndef PLINK_PROBES_RUN_BRANCH_H
#define PLINK_PROBES_RUN_BRANCH_H

#include "probes/run/carrier.h"
#include "probes/run/fleet-parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where so many hosts of a group could not be its relay, the others are started
 * from here, all at once: each try may take as long as an agent may. */
#define PL_TRUNK_TRIES 2

/* Hosts first to first + n - 1 of the fleet, channel k being host first + k.
 * The first of them that can is the relay. */
struct pl_branch {
	size_t first, n;
	size_t at; /* host first + at is the relay, or is tried; as many
		    * have been tried before */
	struct pl_remote r; /* NEW: nobody is tried */
	struct pl_carrier carrier;
	struct pl_frames *frames; /* that arrive */
	size_t n_started;         /* hosts below that have been, or are lost */
	bool watched;             /* whether its input can be written */
};

/* Cuts the fleet's hosts into groups of options->tree. 0, or -1 with @err
 * set. */
int pl_branches_create(struct pl_fleet *fleet, struct pl_err *err);

/* Starts relays, and agents by those that are there, as many as may be starting
 * at once: relays from here, agents from each relay. */
void pl_branches_start_some(struct pl_fleet *fleet);

/* Is there a host that has not been started, or a relay that is starting? */
bool pl_branches_are_starting(const struct pl_fleet *fleet);

/* Has input that has to wait watched. */
void pl_branches_watch_input(struct pl_fleet *fleet);

void pl_branch_take_event(struct pl_fleet *fleet, struct pl_branch *t,
			  enum pl_fleet_pipe pipe, int64_t now_ns);

/* Looks at the relays' clocks. Is one to be looked at again soon? */
bool pl_branches_check_times(struct pl_fleet *fleet, int64_t now_ns);

/* Closes their connections, by which they end what they started. */
void pl_branches_close(struct pl_fleet *fleet);

/* Have the processes that started them ended? Reaps them. */
bool pl_branches_reap(struct pl_fleet *fleet);
void pl_branches_signal(const struct pl_fleet *fleet, int signal);

void pl_branches_destroy(struct pl_fleet *fleet);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* branch.h - a group of hosts behind a relay, which starts their agents and
 * carries their input and output */
#ifndef PLINK_PROBES_RUN_BRANCH_H
#define PLINK_PROBES_RUN_BRANCH_H

#include "probes/run/carrier.h"
#include "probes/run/fleet-parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* After this many hosts of a group have failed to be its relay, the others are
 * started from the coordinator, all at once: each try may take as long as an
 * agent may. */
#define PL_TRUNK_TRIES 2

/* Hosts first to first + n - 1 of the fleet; channel k is host first + k. The
 * first of them that works is the relay. */
struct pl_branch {
	size_t first, n;
	size_t at;          /* host first + at is the relay, or is being tried; those
			     * before it have failed */
	struct pl_remote r; /* the relay; NEW: none is tried at present */
	struct pl_carrier carrier;
	struct pl_frames *frames; /* frames from the relay */
	size_t n_started;         /* hosts below this were started or are lost */
	bool watched;             /* epoll watches for its input to be writable */
};

/* Divides the fleet's hosts into groups of options->tree. 0, or -1 with @err
 * set. */
int pl_branches_create(struct pl_fleet *fleet, struct pl_err *err);

/* Starts relays from here, and agents through the relays that are up, each with
 * at most options->fanout starting at once. */
void pl_branches_start_some(struct pl_fleet *fleet);

/* Is there a host that has not been started, or a relay still starting? */
bool pl_branches_are_starting(const struct pl_fleet *fleet);

/* Lets epoll watch the relays whose input is waiting to be written. */
void pl_branches_watch_input(struct pl_fleet *fleet);

void pl_branch_take_event(struct pl_fleet *fleet, struct pl_branch *t, enum pl_fleet_pipe pipe,
			  int64_t now_ns);

/* Checks the deadlines of the relays. True: check again soon. */
bool pl_branches_check_times(struct pl_fleet *fleet, int64_t now_ns);

/* Closes the connections to the relays, which makes them end their commands. */
void pl_branches_close(struct pl_fleet *fleet);

/* Reaps the processes that started the relays. True: all have ended. */
bool pl_branches_reap(struct pl_fleet *fleet);
void pl_branches_signal(const struct pl_fleet *fleet, int signal);

void pl_branches_destroy(struct pl_fleet *fleet);

#endif

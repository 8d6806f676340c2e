/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet-parts.h - what the parts of a fleet do for one another */
#ifndef PLINK_PROBES_RUN_FLEET_PARTS_H
#define PLINK_PROBES_RUN_FLEET_PARTS_H

#include "probes/run/fleet.h"

enum pl_fleet_pipe {
	PL_FLEET_OUT,
	PL_FLEET_ERR,
	PL_FLEET_IN,
	PL_FLEET_PIPES,
};

/* Events of the pipe come with @who, a host's number or, from fleet->n on, a
 * branch's. Closing it ends that, too. 0, or -1 with errno set. */
int pl_fleet_watch(const struct pl_fleet *fleet, size_t who,
		   const struct pl_child *c, enum pl_fleet_pipe pipe);
void pl_fleet_unwatch(const struct pl_fleet *fleet, int fd);

/* Starts the command by the launcher from here, and watches it. 0, or -1 with
 * the remote lost. */
int pl_fleet_start_one(const struct pl_fleet *fleet, size_t who,
		       struct pl_remote *r, const char *command);

/* What came of its lines is understood and acted upon; it may be lost by
 * that. */
void pl_fleet_take_lines(struct pl_fleet *fleet, size_t host);

/* Reads what it complains of, and tells of the lines that came of it. */
void pl_fleet_read_errors(const struct pl_fleet *fleet, struct pl_remote *r);
void pl_fleet_log(const struct pl_fleet *fleet, struct pl_remote *r);

/* Has a remote been lost, by now: has it ended, or owed an answer for too
 * long? */
bool pl_fleet_is_over(const struct pl_fleet *fleet, struct pl_remote *r,
		      int64_t now_ns);

#endif

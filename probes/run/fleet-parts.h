/* SPDX-License-Identifier: BSD-3-Clause */
/* fleet-parts.h - the functions that the files of a fleet share */
#ifndef PLINK_PROBES_RUN_FLEET_PARTS_H
#define PLINK_PROBES_RUN_FLEET_PARTS_H

#include "probes/run/fleet.h"

enum pl_fleet_pipe {
	PL_FLEET_OUT,
	PL_FLEET_ERR,
	PL_FLEET_IN,
	PL_FLEET_PIPES,
};

/* Makes epoll watch a pipe of @c; its events carry @who: the number of a host
 * or, from fleet->n on, of a branch. Closing the pipe ends the watch. 0, or -1
 * with errno set. */
int pl_fleet_watch(const struct pl_fleet *fleet, size_t who, const struct pl_child *c,
		   enum pl_fleet_pipe pipe);
void pl_fleet_unwatch(const struct pl_fleet *fleet, int fd);

/* Starts the command through the launcher from here, and watches it. 0, or -1
 * with the remote lost. */
int pl_fleet_start_one(const struct pl_fleet *fleet, size_t who, struct pl_remote *r,
		       const char *command);

/* Handles the complete lines that the host's agent sent; the host may be lost
 * by that. */
void pl_fleet_take_lines(struct pl_fleet *fleet, size_t host);

/* read_errors: reads the remote's standard error and logs it; log: passes its
 * complete lines to the log. */
void pl_fleet_read_errors(const struct pl_fleet *fleet, struct pl_remote *r);
void pl_fleet_log(const struct pl_fleet *fleet, struct pl_remote *r);

/* Checks a remote's deadlines. True: it has just been lost, because it ended or
 * did not answer in time. */
bool pl_fleet_is_over(const struct pl_fleet *fleet, struct pl_remote *r, int64_t now_ns);

#endif

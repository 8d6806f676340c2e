/* SPDX-License-Identifier: BSD-3-Clause */
/* relay.h - starts agents on other hosts and carries their input and output for
 * the coordinator */
#ifndef PLINK_PROBES_RELAY_RELAY_H
#define PLINK_PROBES_RELAY_RELAY_H

#include "base/err.h"

#include <stdint.h>

#define PL_RELAY_HOSTS_MAX 4096 /* commands that one relay starts */

struct pl_relay_options {
	int in, out;         /* fds: frames from the coordinator, and to it */
	int64_t patience_ns; /* the coordinator is gone after this long without
			      * a frame */
};

/*
 * Starts the commands that the coordinator names and carries their input,
 * output and errors (plink-protocol(5)), until its own input ends, SIGTERM,
 * SIGINT or SIGHUP arrives, nobody reads its output, or nothing has arrived for
 * patience_ns. On return, also on failure, all commands it started have ended
 * and are reaped. 0, or -1 with @err set: PL_EINPUT for an invalid frame.
 * SIGPIPE must be ignored; the signals' handlers are not restored.
 */
int pl_relay_run(const struct pl_relay_options *options, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* relay.h - starts agents on other hosts, and carries what they say, for a head
 * node */
#ifndef PLINK_PROBES_RELAY_RELAY_H
#define PLINK_PROBES_RELAY_RELAY_H

#include "base/err.h"

#include <stdint.h>

#define PL_RELAY_HOSTS_MAX 4096 /* commands that one relay starts */

struct pl_relay_options {
	int in, out;         /* frames of the coordinator, and for it */
	int64_t patience_ns; /* it is gone when nothing came for so long */
};

/*
 * Starts what it is told to and carries its input, output and errors
 * (plink-protocol(5)), until its own input ends, SIGTERM, SIGINT or SIGHUP
 * comes, nobody reads, or nothing has come for too long. Then, and when it
 * fails, all that it started has ended and is reaped. 0, or -1 with @err set:
 * PL_EINPUT for what is no frame. SIGPIPE must be ignored; the signals'
 * handlers are not put back.
 */
int pl_relay_run(const struct pl_relay_options *options, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.h - a hub: from the job's rendezvous to its last call */
#ifndef PLINK_SRC_HUB_SERVE_H
#define PLINK_SRC_HUB_SERVE_H

#include "base/err.h"

#include <stdint.h>

#define HUB_TOOL "plink-hub"

/* Strings are borrowed. */
struct hub_options {
	const char *schedule, *meet, *secret; /* file, HOST:PORT, file */
	const char *name; /* of the aggregator; NULL: this machine's */
	double timeout_s; /* until the job is there */
};

/* What a hub has done. */
struct hub_done {
	uint64_t calls, bytes; /* of the calls' buffers */
};

/* Runs the hub's part of a job until all ranks have ended. 0, or -1 with @err
 * set; *done counts in both cases. */
int hub_serve(const struct hub_options *o, struct hub_done *done,
	      struct pl_err *err);

#endif

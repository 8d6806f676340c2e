/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.h - passes on what is measured so far, before the run has ended */
#ifndef PLINK_PROBES_RUN_CHECKPOINT_H
#define PLINK_PROBES_RUN_CHECKPOINT_H

#include "probes/run/probe.h"

#include <stdbool.h>

/* Start with {0}. */
struct pl_checkpoint {
	int64_t next_ns; /* no earlier than this */
	bool unsaved;    /* results came since the last time */
};

/*
 * Call after every result. Passes @m to options->save, marked as partial during that call, at most
 * once a second and with at most a fiftieth of the time spent on it, so that pairs hardly wait for
 * it. 0, or -1: out of memory.
 */
int pl_checkpoint_offer(struct pl_checkpoint *c, const struct pl_probe_options *options,
			struct pl_matrix *m);

/* Call now and then when no results arrive: results that came too soon after the last time are
 * passed on as pl_checkpoint_offer() would. 0, or -1: out of memory. */
int pl_checkpoint_look(struct pl_checkpoint *c, const struct pl_probe_options *options,
		       struct pl_matrix *m);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.h - what is measured so far, handed out before the run has
 * ended */
#ifndef PLINK_PROBES_RUN_CHECKPOINT_H
#define PLINK_PROBES_RUN_CHECKPOINT_H

#include "probes/run/probe.h"

#include <stdbool.h>

/* Start with {0}. */
struct pl_checkpoint {
	int64_t next_ns; /* not before */
	bool unsaved;    /* a result came since */
};

/*
 * To be called after every result: hands @m to options->save, marked as partial
 * for that call, at most once a second and in at most a fiftieth of the time,
 * so that pairs hardly wait for it. 0, or -1: out of memory.
 */
int pl_checkpoint_offer(struct pl_checkpoint *c,
			const struct pl_probe_options *options,
			struct pl_matrix *m);

/* To be called now and then, where no result comes: what came too soon after
 * the last time is handed over as pl_checkpoint_offer() would. */
int pl_checkpoint_look(struct pl_checkpoint *c,
		       const struct pl_probe_options *options,
		       struct pl_matrix *m);

#endif

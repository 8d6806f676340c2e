/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinator.h - a run from the first agent to the last round */
#ifndef PLINK_PROBES_COORDINATOR_H
#define PLINK_PROBES_COORDINATOR_H

#include "probes/collect.h"
#include "probes/fleet.h"

/* Start with pl_coordinator_init; always end with stop, fini. */
struct pl_coordinator {
	struct pl_fleet fleet;
	struct pl_collect *collect; /* borrowed */
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	size_t *alive; /* [n_alive] hosts that take part */
	size_t *place; /* [n] by host: index into alive, or PL_SCHEDULE_REST */
	size_t n_alive;
	size_t round;
	bool in_round, no_memory;
	uint64_t n_probes;
};

/* @hosts must have distinct names; all is borrowed. 0, or -1: out of memory. */
int pl_coordinator_init(struct pl_coordinator *c, const struct pl_hosts *hosts,
			const struct pl_probe_options *options,
			const char *command, struct pl_collect *collect);

/* Starts all agents, chooses addresses, hands out the key, learns the ports.
 * 0; -1 with @err set, or untouched when told to stop. */
int pl_coordinator_start(struct pl_coordinator *c, struct pl_err *err);

/* All rounds. The same returns. */
int pl_coordinator_rounds(struct pl_coordinator *c, struct pl_err *err);

/* Ends all agents; remotes stay for reading. */
void pl_coordinator_stop(struct pl_coordinator *c);

/* After stop. */
void pl_coordinator_fini(struct pl_coordinator *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinator.h - a run from the first agent to the last pair */
#ifndef PLINK_PROBES_RUN_COORDINATOR_H
#define PLINK_PROBES_RUN_COORDINATOR_H

#include "base/nocore.h"
#include "probes/run/agenda.h"
#include "probes/run/fleet.h"

#define PL_ROUNDS_MAX (1u << 16) /* numbers that a packet holds */

/* Start with pl_coordinator_init; always end with stop, fini. */
struct pl_coordinator {
	struct pl_fleet fleet;
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	struct pl_nocore cores; /* as they were before there was a key */
	size_t *alive;          /* [n_alive] hosts that take part */
	size_t n_alive;
	struct pl_agenda agenda; /* of the pass under way */
	bool in_pass, no_memory;
	size_t round_base; /* a pass's rounds are numbered from here on */
	/* packets that were sent or may still be, for the budget; by host,
	 * those of its present meeting */
	uint64_t n_committed;
	uint32_t *allowed;    /* [n] */
	uint64_t n_packets;   /* sent, as agents said */
	bool budget_is_spent; /* so that pairs were left out */
	int64_t shown_ns;     /* when progress was reported last */
	/* a result of src -> dst; @note, where not empty, says why it is less
	 * than was wanted. 0, or -1: out of memory */
	int (*take)(void *arg, size_t src, size_t dst,
		    const struct pl_probed_pair *pair, const char *note);
	/* some ten times a second in a pass or a transfer; NULL: nobody. The
	 * same */
	int (*tick)(void *arg);
	void *arg;
};

/* @hosts must have distinct names; all but @err is borrowed. Until
 * pl_coordinator_fini the process leaves no core file. 0, or -1 with @err
 * set. */
int pl_coordinator_init(struct pl_coordinator *c, const struct pl_hosts *hosts,
			const struct pl_probe_options *options,
			const char *command, struct pl_err *err);

/* Starts all agents, chooses addresses, hands out the key, learns the ports.
 * 0; -1 with @err set, or untouched when told to stop. */
int pl_coordinator_start(struct pl_coordinator *c, struct pl_err *err);

/*
 * Measures the pairs v[n], which must be of hosts that are up: a pass. 0, also
 * where some could not be; -1 with @err set, or untouched when told to stop or
 * when the budget's time is over.
 */
int pl_coordinator_pass(struct pl_coordinator *c, const struct pl_meet *v,
			size_t n, struct pl_err *err);

/* Ends all agents; remotes stay for reading. */
void pl_coordinator_stop(struct pl_coordinator *c);

/* After stop. */
void pl_coordinator_fini(struct pl_coordinator *c);

/* What an agent said, that a host is lost, that time goes by: the fleet's
 * callbacks. */
void pl_pass_tick(void *arg);
void pl_pass_message(void *arg, size_t host, const struct pl_msg *msg);
void pl_pass_lost(void *arg, size_t host);

/* When a pair ends that never gets its probes together, ns after its start. */
int64_t pl_pass_limit(const struct pl_probe_options *options);

#endif

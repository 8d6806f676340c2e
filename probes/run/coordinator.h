/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinator.h - controls a run from the first agent to the last pair */
#ifndef PLINK_PROBES_RUN_COORDINATOR_H
#define PLINK_PROBES_RUN_COORDINATOR_H

#include "base/nocore.h"
#include "probes/run/agenda.h"
#include "probes/run/fleet.h"

#define PL_ROUNDS_MAX (1u << 16) /* round numbers that fit a packet */

/* Start with pl_coordinator_init; always end with stop, fini. */
struct pl_coordinator {
	struct pl_fleet fleet;
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	struct pl_nocore cores; /* settings before there was a key */
	size_t *alive;          /* [n_alive] hosts taking part */
	size_t n_alive;
	char network[PL_NETWORK_CHARS]; /* see pl_addr_describe */
	struct pl_agenda agenda;        /* of the pass under way */
	bool in_pass, no_memory;
	size_t round_base; /* first round number of the pass */
	/* packets that were sent or may still be sent, for the budget; by host, those of its
	 * present meeting */
	uint64_t n_committed;
	uint32_t *allowed;    /* [n] */
	uint64_t n_packets;   /* sent, as reported by agents */
	bool budget_is_spent; /* pairs were left out because of that */
	int64_t shown_ns;     /* time of the last progress report */
	const char *phase;    /* for it: what passes are for; NULL: measuring */
	/* takes a result of src -> dst; @note, if not empty, says why there are fewer probes than
	 * wanted. 0, or -1: out of memory */
	int (*take)(void *arg, size_t src, size_t dst, const struct pl_probed_pair *pair,
		    const char *note);
	/* called about ten times a second in a pass or a transfer; NULL: none. 0, or -1: out of
	 * memory */
	int (*tick)(void *arg);
	void *arg;
};

/* @hosts must have distinct names; all arguments but @err are borrowed. Until
 * pl_coordinator_fini the process writes no core file. 0, or -1 with @err
 * set. */
int pl_coordinator_init(struct pl_coordinator *c, const struct pl_hosts *hosts,
			const struct pl_probe_options *options, const char *command,
			struct pl_err *err);

/* Starts all agents, chooses their addresses, distributes the key and learns the ports. 0, or -1
 * with @err set: PL_EPARTIAL when told to stop. */
int pl_coordinator_start(struct pl_coordinator *c, struct pl_err *err);

/*
 * Measures the pairs v[n] of hosts that are up: a pass. 0, also if some pairs failed; -1 with @err
 * set: PL_EPARTIAL when told to stop or when the time budget is over.
 */
int pl_coordinator_pass(struct pl_coordinator *c, const struct pl_meet *v, size_t n,
			struct pl_err *err);

/* Tells options->progress, if any, that @n_done of @n_all units ("pairs") of this phase are
 * done. */
void pl_coordinator_show(const struct pl_coordinator *c, const char *phase, const char *unit,
			 size_t n_done, size_t n_all);

/* Ends all agents; the remotes can still be read. */
void pl_coordinator_stop(struct pl_coordinator *c);

/* Call after stop. */
void pl_coordinator_fini(struct pl_coordinator *c);

/* The fleet's callbacks: time passes, an agent sent a message, a host is
 * lost. */
void pl_pass_tick(void *arg);
void pl_pass_message(void *arg, size_t host, const struct pl_msg *msg);
void pl_pass_lost(void *arg, size_t host);

/* Time limit of a pair that does not get its probes answered, ns after its start. */
int64_t pl_pass_limit(const struct pl_probe_options *options);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* talk.h - a host without plink-agent, spoken to as if it had one */
#ifndef PLINK_PROBES_FPING_TALK_H
#define PLINK_PROBES_FPING_TALK_H

#include "probes/fping/output.h"
#include "probes/protocol/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests of one run of fping, so that its answer is a line of the
 * protocol. */
#define PL_FPING_BATCH 41

/* What the shell (shell.h) is at. */
enum pl_fping_doing {
	PL_FPING_IDLE,
	PL_FPING_CHECKING, /* may it ping at all? itself */
	PL_FPING_PROBING,
	PL_FPING_ASKING_WHY, /* nothing came back: one that shows errors */
};

/*
 * Commands of the coordinator become lines for the shell, what fping prints
 * becomes the answers that an agent gives. A pair is pinged in runs of fping;
 * the first round trip of each run is warm-up and not counted. Start with
 * pl_fping_init, end with fini. Knows no clock.
 */
struct pl_fping {
	const char *iface; /* what addresses are wanted, or NULL; borrowed */
	bool greeted; /* what came before was the launcher's, or a login's */
	char version[32];
	size_t n_addrs; /* wanted ones that it has */
	struct pl_prober_options settings;
	struct pl_addr self;
	enum pl_fping_doing doing;
	unsigned turn;  /* the last one that was asked for */
	bool reading;   /* what comes belongs to that one */
	unsigned asked; /* requests in it */
	char target[PL_ADDR_CHARS];
	struct pl_msg answer; /* being made: BOUND or RESULT */
	struct pl_fping_trip batch[PL_FPING_BATCH]; /* [n_batch] */
	size_t n_batch;
	uint32_t packets_max;
	int64_t *rtt_ns, *work_ns; /* [n] of this pair so far; [room] each */
	int64_t *step_ns;          /* [n] */
	size_t n, room;
	int64_t begun_ns, heard_ns, longest_ns;
	char said[PL_MSG_TEXT]; /* else by fping, last */
};

/* The gap that fping can keep, in whole ms and at least one, and not below
 * this. */
int64_t pl_fping_gap(int64_t gap_ns);

/* How long a run of fping takes at most, while which the shell hears nothing;
 * ns. */
int64_t pl_fping_deaf_ns(const struct pl_fping *f);

void pl_fping_init(struct pl_fping *f, const char *iface);
void pl_fping_fini(struct pl_fping *f);

/* The line for the shell that @msg becomes; its length, 0: none. */
size_t pl_fping_tell(struct pl_fping *f, const struct pl_msg *msg,
		     int64_t now_ns, char out[PL_LINE_CHARS]);

enum pl_fping_heard {
	PL_FPING_STRANGE = -1, /* not understood */
	PL_FPING_MESSAGE,      /* *msg is what an agent would have said */
	PL_FPING_MORE,         /* out[*len] is to be sent; *len may be 0 */
};

/* Takes a line that the shell said. */
enum pl_fping_heard pl_fping_hear(struct pl_fping *f, const char *line,
				  int64_t now_ns, struct pl_msg *msg,
				  char out[PL_LINE_CHARS], size_t *len);

#endif

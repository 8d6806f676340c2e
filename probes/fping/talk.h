/* SPDX-License-Identifier: BSD-3-Clause */
/* talk.h - lets the coordinator use a host with fping as if it had an agent */
#ifndef PLINK_PROBES_FPING_TALK_H
#define PLINK_PROBES_FPING_TALK_H

#include "probes/fping/output.h"
#include "probes/protocol/control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests in one run of fping, so few that its output fits a line of the
 * protocol. */
#define PL_FPING_BATCH 41

/* What the shell (shell.h) is doing. */
enum pl_fping_doing {
	PL_FPING_IDLE,
	PL_FPING_CHECKING, /* pings itself to see whether it may ping */
	PL_FPING_PROBING,
	PL_FPING_ASKING_WHY, /* nothing came back: a run that shows errors */
};

/*
 * Translates commands of the coordinator into lines for the shell, and what
 * fping prints into the answers of an agent. A pair is pinged in several runs
 * of fping; the first round trip of each run is warm-up and not counted. Start
 * with pl_fping_init, end with fini. Uses no clock.
 */
struct pl_fping {
	const char *iface; /* interface or CIDR wanted, or NULL; borrowed */
	bool greeted;      /* lines before that are the launcher's, or a login's */
	char version[32];
	size_t n_addrs; /* number of wanted addresses it has */
	struct pl_prober_options settings;
	struct pl_addr self;
	enum pl_fping_doing doing;
	unsigned turn;  /* the last run that was asked for */
	bool reading;   /* output now belongs to that run */
	unsigned asked; /* requests in that run */
	char target[PL_ADDR_CHARS];
	struct pl_msg answer;                       /* being assembled: BOUND or RESULT */
	struct pl_fping_trip batch[PL_FPING_BATCH]; /* [n_batch] */
	size_t n_batch;
	uint32_t packets_max;
	int64_t *rtt_ns, *work_ns; /* [n] of this pair so far; [room] each */
	int64_t *step_ns;          /* [n] */
	size_t n, room;
	int64_t begun_ns, heard_ns, longest_ns;
	char said[PL_MSG_TEXT]; /* fping's last other output */
};

/* The shortest gap that fping can keep and that is not below @gap_ns: whole ms,
 * at least one. */
int64_t pl_fping_gap(int64_t gap_ns);

/* How long a run of fping takes at most, ns; the shell reads no command
 * meanwhile. */
int64_t pl_fping_deaf_ns(const struct pl_fping *f);

void pl_fping_init(struct pl_fping *f, const char *iface);
void pl_fping_fini(struct pl_fping *f);

/* Writes the line for the shell that @msg becomes; returns its length, 0:
 * none. */
size_t pl_fping_tell(struct pl_fping *f, const struct pl_msg *msg, int64_t now_ns,
		     char out[PL_LINE_CHARS]);

enum pl_fping_heard {
	PL_FPING_STRANGE = -1, /* not understood */
	PL_FPING_MESSAGE,      /* *msg is what an agent would have said */
	PL_FPING_MORE,         /* out[*len] is to be sent to the shell; *len may be 0 */
};

/* Takes a line that the shell printed. */
enum pl_fping_heard pl_fping_hear(struct pl_fping *f, const char *line, int64_t now_ns,
				  struct pl_msg *msg, char out[PL_LINE_CHARS], size_t *len);

#endif

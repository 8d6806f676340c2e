/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.h - the agent of one host, as the coordinator sees it */
#ifndef PLINK_PROBES_RUN_REMOTE_H
#define PLINK_PROBES_RUN_REMOTE_H

#include "probes/launch/fault.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/control.h"
#include "probes/protocol/silence.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_remote_state {
	PL_REMOTE_NEW,     /* not started yet */
	PL_REMOTE_UP,      /* its process runs */
	PL_REMOTE_CLOSING, /* its output ended; waiting for its exit status */
	PL_REMOTE_GONE,    /* ended or lost; its process may still be reaped */
};

/* Indexed by host. */
struct pl_remote {
	const char *name; /* borrowed */
	const char *user; /* to log in as; borrowed; NULL: none is named */
	enum pl_remote_state state;
	struct pl_child child; /* pid 0: nothing to reap; fd -1: closed */
	struct pl_lines lines, errors;
	const uint8_t *push; /* sent before its input; borrowed */
	size_t push_len;     /* bytes of push left to send */
	bool greeted, ready, ending;
	size_t n_skipped;          /* lines before the greeting */
	struct pl_silence silence; /* of the agent, once it is ready */
	bool asked;                /* a PING is not answered yet */
	const char *waiting_for;   /* the answer it owes; NULL: none */
	int64_t deadline_ns;       /* for that answer, or for its end when closing */
	bool has_status;
	int status; /* as waitpid() gives it */
	char node[PL_MSG_TEXT];
	struct pl_addr addr[PL_ADDRS_MAX]; /* addresses it offers */
	size_t n_addr;
	struct pl_addr reached; /* where ssh reached it; family 0: not known */
	struct pl_verbs verbs;  /* the one UDP tells least about, or NONE */
	size_t pick;            /* index into addr of the address to measure */
	int port[PL_FLOWS_MAX]; /* [n_ports], once it is bound */
	unsigned n_ports;
	int64_t echo_ns;             /* its round trip to itself; 0: not measured */
	struct pl_cost_figures cost; /* share_ppm 0: not measured */
	uint64_t refused, stale;     /* packets its agent dropped */
	/* before its greeting, the fault that stderr tells; NULL: none that is known; and its line
	 * there, or else the last words on stderr */
	const struct pl_launch_fault *fault;
	char said[PL_LINE_CHARS];
	char printed[PL_LINE_CHARS]; /* the last line on stdout before its greeting */
	unsigned tries;              /* starts that were dropped before this one */
	size_t n_beside;             /* others that were starting when this began ... */
	int64_t started_ns;          /* ... then; of a NEW one: not sooner */
	char reason[PL_LINE_CHARS];  /* why it is lost; empty: not lost */
};

void pl_remote_init(struct pl_remote *r, const char *name);

/* Starts the agent. 0, or -1 with the remote lost and its reason set. */
int pl_remote_start(struct pl_remote *r, const char *template, const char *command,
		    int64_t deadline_ns);

/* The starts of all remotes. */
struct pl_starts {
	size_t fanout;    /* that may be under way at once */
	size_t n_waiting; /* remotes that wait for another one */
};

/* Call for a remote that was lost while it started. True: the start was dropped, as ssh servers do
 * where too many logins are under way, and is to be repeated when the remote is due; it is NEW
 * again. From then on at most half as many may be under way as were when it began. */
bool pl_remote_again(struct pl_remote *r, struct pl_starts *starts, int64_t now_ns);
bool pl_remote_is_due(const struct pl_remote *r, int64_t now_ns);

/* Sends one line. 0, or -1 with the remote lost. */
int pl_remote_tell(struct pl_remote *r, const struct pl_msg *msg);

/* Expects an answer until @deadline_ns; @what names it in the reason, a literal. */
void pl_remote_expect(struct pl_remote *r, const char *what, int64_t deadline_ns);

/* Handles the lines of the greeting. 1: another message came, in *msg; 0: no complete line is left;
 * -1: the remote is lost now. */
int pl_remote_next(struct pl_remote *r, struct pl_msg *msg);

/* Reads available output; the end of output makes the remote closing. */
void pl_remote_read(struct pl_remote *r, int64_t now_ns);

/* Writes as much of r->push as the input takes. True: there is more to write. False also where
 * nobody reads: the end of the output will tell why. */
bool pl_remote_push(struct pl_remote *r);

/* Reads once from its stderr: did anything come? */
bool pl_remote_fill_errors(struct pl_remote *r);

/* Writes the next line of stderr, made safe for a terminal, to @line. False: there is none. */
bool pl_remote_next_error(struct pl_remote *r, char line[PL_LINE_CHARS]);

/* A line of its stdout that is no greeting. */
void pl_remote_print(struct pl_remote *r, const char line[PL_LINE_CHARS]);

/* The line that tells most about why it has ended; "": there is none. */
const char *pl_remote_words(const struct pl_remote *r);

/* Gives the remote up for a reason: closes its pipes and tells its process to end. */
void pl_remote_lose(struct pl_remote *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Call for a closing remote when its process has ended (pl_remote_reap) or its deadline has passed,
 * and its last errors are read: it becomes gone, with a reason unless it was told to end. */
void pl_remote_settle(struct pl_remote *r);

bool pl_remote_is_lost(const struct pl_remote *r);

void pl_remote_close(struct pl_remote *r);

/* Has its process ended, or was there none? Reaps it. */
bool pl_remote_reap(struct pl_remote *r);

/* Signals its process group, if the process is not reaped yet. */
void pl_remote_signal(const struct pl_remote *r, int signal);

#endif

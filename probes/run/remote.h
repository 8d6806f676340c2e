/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.h - one host's agent as its coordinator sees it */
#ifndef PLINK_PROBES_RUN_REMOTE_H
#define PLINK_PROBES_RUN_REMOTE_H

#include "probes/fping/talk.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/control.h"
#include "probes/protocol/silence.h"
#include "probes/run/carrier.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_remote_state {
	PL_REMOTE_NEW,     /* not started yet */
	PL_REMOTE_UP,      /* its process runs */
	PL_REMOTE_CLOSING, /* its output ended; its exit status is awaited */
	PL_REMOTE_GONE,    /* ended or lost; its process may be left to reap */
};

/* Indexed by host. */
struct pl_remote {
	const char *name; /* borrowed */
	enum pl_remote_state state;
	const char *role;      /* "its agent" or "its relay"; a literal */
	struct pl_child child; /* pid 0: no process to reap; an fd -1: closed */
	struct pl_carrier *by; /* a relay has its pipes and its process; NULL:
				* they are here, in child; borrowed */
	uint16_t channel;      /* of that */
	bool open, running;    /* its pipes and its process, there */
	struct pl_lines lines, errors;
	struct pl_fping *fping; /* a shell is there instead of an agent; NULL:
				 * none; borrowed */
	const uint8_t *push;    /* what its input begins with; borrowed */
	size_t push_len;        /* bytes of that to go */
	bool relays; /* it is a relay, and says no more once it is ready */
	bool greeted, ready, ending;
	size_t n_skipped;          /* lines before the greeting */
	struct pl_silence silence; /* its own, once it is ready */
	bool asked;                /* PING is not answered yet */
	const char *waiting_for;   /* what it owes us; NULL: nothing */
	int64_t deadline_ns;       /* for that, or for its end when closing */
	bool has_status;
	int status; /* as waitpid() gives it */
	char node[PL_MSG_TEXT];
	struct pl_addr addr[PL_ADDRS_MAX]; /* what it offers */
	size_t n_addr;
	struct pl_verbs verbs;  /* the one of which UDP tells least, or NONE */
	size_t pick;            /* index into addr: the one it is measured at */
	int port[PL_FLOWS_MAX]; /* [n_ports], once it is bound */
	unsigned n_ports;
	int64_t echo_ns;         /* its round trip to itself; 0: not measured */
	uint64_t refused, stale; /* packets its agent dropped */
	char said[PL_LINE_CHARS];   /* its last words on stderr */
	char reason[PL_LINE_CHARS]; /* why it is lost; empty: it is not */
};

void pl_remote_init(struct pl_remote *r, const char *name);

/* Starts the agent. 0, or -1 with the remote gone and its reason set. */
int pl_remote_start(struct pl_remote *r, const char *template,
		    const char *command, int64_t deadline_ns);

/* Has a relay start the command; its input begins with the relay's own program
 * where @push. 0, or -1 as above. */
int pl_remote_start_by(struct pl_remote *r, struct pl_carrier *by,
		       uint16_t channel, char *const argv[], bool push,
		       int64_t deadline_ns);

/* Sends one line. 0, or -1 with the remote lost. */
int pl_remote_tell(struct pl_remote *r, const struct pl_msg *msg);

/* Expects an answer until then; @what is for the reason, a literal. */
void pl_remote_expect(struct pl_remote *r, const char *what,
		      int64_t deadline_ns);

/* Takes the greeting's lines. 1: something else came, in *msg; 0: no full line
 * is left; -1: the remote is lost now. */
int pl_remote_next(struct pl_remote *r, struct pl_msg *msg);

/* Reads output that is there; its end makes the remote closing. */
void pl_remote_read(struct pl_remote *r, int64_t now_ns);

/* What a relay has read: takes some of it (pl_remote_next is to be called in
 * between), or knows that this was all. */
size_t pl_remote_put(struct pl_remote *r, const void *data, size_t len,
		     int64_t now_ns);
void pl_remote_end(struct pl_remote *r, int64_t now_ns);

/* Its process has ended at the relay. */
void pl_remote_ended_by(struct pl_remote *r, int status);

/* Writes of r->push what its input takes. Is there more to write? Where nobody
 * reads there is not: the end of its output will tell why. */
bool pl_remote_push(struct pl_remote *r);

/* Reads once from its stderr: did anything come? */
bool pl_remote_fill_errors(struct pl_remote *r);

/* Takes a line of that, fit for a terminal, into @line: true, or false. */
bool pl_remote_next_error(struct pl_remote *r, char line[PL_LINE_CHARS]);

/* Gives the remote up for a reason: closes its pipes, asks its process to
 * end. */
void pl_remote_lose(struct pl_remote *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Has a closing remote's process ended, or passed its deadline? Then read its
 * last errors and settle it: it is gone, with a reason unless told to end. */
bool pl_remote_has_ended(struct pl_remote *r, int64_t now_ns);
void pl_remote_settle(struct pl_remote *r);

/* For how long its agent, or shell, may be silent; in ns. */
int64_t pl_remote_patience(const struct pl_remote *r);

bool pl_remote_is_lost(const struct pl_remote *r);

void pl_remote_close(struct pl_remote *r);

/* Has its process ended (or was there none)? Reaps it. */
bool pl_remote_reap(struct pl_remote *r);

/* Signals its process group, if that is not reaped yet. */
void pl_remote_signal(const struct pl_remote *r, int signal);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h - one command that a relay has started and carries */
#ifndef PLINK_PROBES_RELAY_CHANNEL_H
#define PLINK_PROBES_RELAY_CHANNEL_H

#include "base/err.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A closed command ends by itself, or gets SIGTERM after so long and then
 * SIGKILL; ns. */
#define PL_CHANNEL_TERM_NS INT64_C(1000000000)
#define PL_CHANNEL_KILL_NS INT64_C(1600000000)

enum pl_channel_state {
	PL_CHANNEL_NEW,  /* nothing was started yet */
	PL_CHANNEL_LIVE, /* its process is not reaped */
	PL_CHANNEL_OVER,
};

/* Start with pl_channel_init; end with pl_channel_fini, once it is not LIVE. */
struct pl_channel {
	enum pl_channel_state state;
	uint16_t number;
	struct pl_child child;  /* an fd -1: closed */
	const uint8_t *push;    /* [push_left], what its input begins with; */
	size_t push_left;       /* borrowed */
	struct pl_outbox input; /* what comes behind that */
	bool muted;             /* its output has ended, ... */
	int64_t muted_ns;       /* ... at that time */
	bool closed;            /* nobody wants it any more, ... */
	int64_t closed_ns;      /* ... since then */
	int signalled;          /* the last signal that it got for that */
};

void pl_channel_init(struct pl_channel *c, uint16_t number);

/* Starts the command; @push[@len] is borrowed for as long as it lives. Where it
 * does not start, that is told to @out. 0, or -1: no room in @out. */
int pl_channel_start(struct pl_channel *c, char *const argv[],
		     const uint8_t *push, size_t len, struct pl_outbox *out);

/* Takes bytes for its input, and has it take what it can. One that lets too
 * many wait is told about in @out, and closed. 0, or -1: no room in @out. */
int pl_channel_put(struct pl_channel *c, const void *data, size_t len,
		   int64_t now_ns, struct pl_outbox *out);

/* Does anything wait for its input to take it? */
bool pl_channel_has_input(const struct pl_channel *c);
void pl_channel_write(struct pl_channel *c);

/* Reads once from its output, and from its errors, into a frame of @out. 0, or
 * -1: no room. */
int pl_channel_read(struct pl_channel *c, int64_t now_ns,
		    struct pl_outbox *out);
int pl_channel_read_errors(struct pl_channel *c, struct pl_outbox *out);

/* Closes its pipes: it is to end by that, and is made to where it does not. */
void pl_channel_close(struct pl_channel *c, int64_t now_ns);

void pl_channel_signal(const struct pl_channel *c, int signal);

/* Reaps it when it has ended, which is told to @out; else signals it when its
 * time is over. 0, or -1: no room. */
int pl_channel_step(struct pl_channel *c, int64_t now_ns,
		    struct pl_outbox *out);

/* When pl_channel_step is to be called next; INT64_MAX: there is
 * no need. */
int64_t pl_channel_wake(const struct pl_channel *c, int64_t now_ns);

void pl_channel_fini(struct pl_channel *c);

#endif

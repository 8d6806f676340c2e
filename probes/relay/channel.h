/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h - one command that a relay has started and serves */
#ifndef PLINK_PROBES_RELAY_CHANNEL_H
#define PLINK_PROBES_RELAY_CHANNEL_H

#include "base/err.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command whose channel is closed should end by itself; else it gets SIGTERM
 * and then SIGKILL this long after, ns. */
#define PL_CHANNEL_TERM_NS INT64_C(1000000000)
#define PL_CHANNEL_KILL_NS INT64_C(1600000000)

enum pl_channel_state {
	PL_CHANNEL_NEW,  /* nothing was started yet */
	PL_CHANNEL_LIVE, /* its process is not reaped yet */
	PL_CHANNEL_OVER,
};

/* Start with pl_channel_init; end with pl_channel_fini, once it is not LIVE. */
struct pl_channel {
	enum pl_channel_state state;
	uint16_t number;
	struct pl_child child;  /* an fd -1: closed */
	const uint8_t *push;    /* [push_left], sent before its input; */
	size_t push_left;       /* borrowed */
	struct pl_outbox input; /* the input after that */
	bool muted;             /* its output has ended */
	int64_t muted_ns;       /* when its output ended */
	bool closed;            /* the coordinator has closed it */
	int64_t closed_ns;      /* when it was closed */
	int signalled;          /* the last signal sent because of that */
};

void pl_channel_init(struct pl_channel *c, uint16_t number);

/* Starts the command; @push[@len] is borrowed while the channel lives. If it
 * does not start, a FAILED frame goes to @out. 0, or -1: no room in @out. */
int pl_channel_start(struct pl_channel *c, char *const argv[], const uint8_t *push, size_t len,
		     struct pl_outbox *out);

/* Queues bytes for the command's input and writes what it takes. If too many
 * bytes wait, the channel is closed and a FAILED frame goes to @out. 0, or -1:
 * no room in @out. */
int pl_channel_put(struct pl_channel *c, const void *data, size_t len, int64_t now_ns,
		   struct pl_outbox *out);

/* Do bytes wait for the command's input? */
bool pl_channel_has_input(const struct pl_channel *c);
void pl_channel_write(struct pl_channel *c);

/* Read once from the command's output, or from its errors, into a frame of
 * @out. 0, or -1: no room. */
int pl_channel_read(struct pl_channel *c, int64_t now_ns, struct pl_outbox *out);
int pl_channel_read_errors(struct pl_channel *c, struct pl_outbox *out);

/* Closes the command's pipes: it should then end; if not, step() signals it. */
void pl_channel_close(struct pl_channel *c, int64_t now_ns);

void pl_channel_signal(const struct pl_channel *c, int signal);

/* Reaps the command if it has ended, with an EXIT frame to @out; else signals
 * it when its time is over. 0, or -1: no room. */
int pl_channel_step(struct pl_channel *c, int64_t now_ns, struct pl_outbox *out);

/* When pl_channel_step must be called next; INT64_MAX: no need. */
int64_t pl_channel_wake(const struct pl_channel *c, int64_t now_ns);

void pl_channel_fini(struct pl_channel *c);

#endif

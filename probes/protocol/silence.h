/* SPDX-License-Identifier: BSD-3-Clause */
/* silence.h - measures how long the other end of a control connection has been silent */
#ifndef PLINK_PROBES_PROTOCOL_SILENCE_H
#define PLINK_PROBES_PROTOCOL_SILENCE_H

#include <stdint.h>

/* An agent that has been silent for this long gets a PING ... */
#define PL_SILENCE_ASK_NS INT64_C(4000000000)
/* ... and is lost when it has been silent for this long. A machine that is busy, or stopped for a
 * few seconds, is not. */
#define PL_SILENCE_LOST_S 10
/* A coordinator that has been silent for this long is gone, unless the agent was told another time:
 * its user may have stopped it, or it may be writing a large file. */
#define PL_SILENCE_ALONE_S 120
/* The time between two calls of pl_silence_look counts as this at most: a program that does not
 * call it is stopped or busy itself, and cannot hear the other end. */
#define PL_SILENCE_LOOK_NS INT64_C(1000000000)

/* Times are the caller's, monotonic, in ns. Start with pl_silence_break. */
struct pl_silence {
	int64_t ns; /* silence counted since the last word */
	int64_t looked_ns;
};

/* The other end has said something, or has just connected. */
void pl_silence_break(struct pl_silence *s, int64_t now_ns);

/* Returns how long the silence is by now, in ns. Call it at least every PL_SILENCE_LOOK_NS. */
int64_t pl_silence_look(struct pl_silence *s, int64_t now_ns);

#endif

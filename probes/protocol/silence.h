/* SPDX-License-Identifier: BSD-3-Clause */
/* silence.h - for how long the other end of a control connection has said
 * nothing */
#ifndef PLINK_PROBES_PROTOCOL_SILENCE_H
#define PLINK_PROBES_PROTOCOL_SILENCE_H

#include <stdint.h>

/* An agent that has said nothing for so long is asked ... */
#define PL_SILENCE_ASK_NS INT64_C(4000000000)
/* ... and is lost when it has said nothing for so long all the same. A machine
 * that is busy, or is stopped for a few seconds, is not. */
#define PL_SILENCE_LOST_S 10
/* A coordinator that says nothing for so long is gone, unless the agent was
 * told otherwise: it may be stopped by its user, or have a large file to
 * write. */
#define PL_SILENCE_ALONE_S 120
/* What passes between two looks counts as so much at most: whoever does not
 * look is stopped or busy itself, and does not hear either. */
#define PL_SILENCE_LOOK_NS INT64_C(1000000000)

/* Times are the caller's, monotonic, in ns; what has begun with
 * pl_silence_break. */
struct pl_silence {
	int64_t ns; /* that was looked at, since the last word */
	int64_t looked_ns;
};

/* The other end has said something, or is there now. */
void pl_silence_break(struct pl_silence *s, int64_t now_ns);

/* Looks: how long the silence is by now, in ns. To be called at least every
 * PL_SILENCE_LOOK_NS. */
int64_t pl_silence_look(struct pl_silence *s, int64_t now_ns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* silence.c - how long the other end of a control connection has been silent */
#include "config.h"

#include "probes/protocol/silence.h"

void pl_silence_break(struct pl_silence *s, int64_t now_ns)
{
	s->ns = 0;
	s->looked_ns = now_ns;
}

int64_t pl_silence_look(struct pl_silence *s, int64_t now_ns)
{
	const int64_t passed_ns = now_ns - s->looked_ns;

	s->ns += passed_ns < PL_SILENCE_LOOK_NS ? passed_ns : PL_SILENCE_LOOK_NS;
	s->looked_ns = now_ns;
	return s->ns;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - which messages made the call as long as it is, and why they did */
/*
 * Backwards from the rank that left last: what it waited for last, what the sender of that waited
 * for last before it posted it, and so on. A message that found no receive posted leads to its
 * receiver instead.
 */
#include "config.h"

#include "predict/play.h"

#include "base/mem.h"

#include <stdlib.h>

static size_t last_rank(const struct pl_play *y, uint32_t call)
{
	const double *ended_s = y->ended_s + call * y->p->n_pos;
	size_t last = 0;

	for (size_t pos = 1; pos < y->p->n_pos; pos++)
		if (ended_s[pos] > ended_s[last])
			last = pos;
	return last;
}

/* Did it wait for its receiver to post? Then the time until that is the receiver's, where the path
 * goes on. */
static bool waited_for_receiver(const struct pl_play_message *m)
{
	return m->recv_s > m->posted_s;
}

static double begin_of(const struct pl_play_message *m)
{
	return waited_for_receiver(m) ? m->recv_s : m->posted_s;
}

/* The longest of what a message spent its time on. */
static enum pl_bound longest(const struct pl_play *y, uint32_t message)
{
	const struct pl_play_message *m = &y->message[message];
	const double behind_s = m->done_s - m->arrived_s;
	const bool acknowledged = pl_play_is_acknowledged(y, message);
	const double part[] = {
		[PL_BY_LATENCY] = m->arrived_s - m->end_s,
		[PL_BY_HANDSHAKE] = m->asked_s - begin_of(m) + (acknowledged ? behind_s : 0),
		[PL_BY_TCP] = m->begin_s - m->taken_s,
		[PL_BY_SENDER] = m->taken_s - m->asked_s,
		[PL_BY_RECEIVER] = acknowledged ? 0 : behind_s,
	};
	enum pl_bound bound = (enum pl_bound)m->bound;
	double most = m->end_s - m->begin_s;

	for (size_t k = 0; k < sizeof(part) / sizeof(*part); k++)
		if (part[k] > most) {
			most = part[k];
			bound = (enum pl_bound)k;
		}
	return bound;
}

/* Where the path goes on: the step of a position that came before. */
struct trace {
	uint32_t call, pos, step;
};

/* One step back: in the strand or, from its first, to the end of the one that let it begin. False:
 * it began with the call. */
static bool go_back(const struct pl_play *y, struct trace *at)
{
	const uint32_t strand = y->strand_of[y->step_from[at->pos] + at->step];
	const struct pl_play_strand *s = &y->strand[strand];

	if (at->step > s->first_step)
		at->step--;
	else if (s->after != PL_NOBODY)
		at->step = y->strand[s->after].end_step;
	else
		return false;
	return true;
}

/* The message that ended the step or, where that waited for none, one before it in the same call;
 * PL_NOBODY: there is none. */
static uint32_t cause_of(const struct pl_play *y, struct trace *at)
{
	uint32_t m;

	do
		m = y->cause[pl_play_step(y, at->call, at->pos, at->step)];
	while (m == PL_NOBODY && go_back(y, at));
	return m;
}

/* Before the message was posted. False: that was when the call began. */
static bool step_before(const struct pl_play *y, uint32_t m, struct trace *at)
{
	const struct pl_message *p = &y->p->message[m % y->p->n_messages];
	const struct pl_play_message *s = &y->message[m];
	const bool receiver = waited_for_receiver(s);

	at->pos = receiver ? p->dst : p->src;
	at->step = receiver ? p->recv_step : p->send_step;
	return go_back(y, at);
}

/* When a rank began the call. */
static double begin_of_call(const struct pl_play *y, uint32_t call, uint32_t pos)
{
	size_t last;

	if (call == 0)
		return 0;
	last = y->apart ? last_rank(y, call - 1) : pos;
	return y->ended_s[(call - 1) * y->p->n_pos + last];
}

int pl_play_path(const struct pl_play *y, unsigned path_max, struct pl_prediction *out)
{
	const uint32_t call = y->n_calls - 1;
	struct trace at = {.call = call};
	double begun_s;
	uint32_t m;

	if (y->p->n_messages == 0)
		return 0;
	at.pos = (uint32_t)last_rank(y, call);
	at.step = y->strand[y->rank[at.pos].last].end_step;
	begun_s = begin_of_call(y, call, at.pos);
	out->path = pl_array_create(path_max, sizeof(*out->path));
	if (!out->path)
		return -1;
	while (out->n_path < path_max && (m = cause_of(y, &at)) != PL_NOBODY) {
		const struct pl_play_message *s = &y->message[m];

		out->path[out->n_path++] = (struct pl_path_message){
			.message = m % y->p->n_messages,
			.begin_s = begin_of(s) - begun_s,
			.end_s = s->done_s - begun_s,
			.bound = longest(y, m),
		};
		if (!step_before(y, m, &at))
			break;
	}
	for (size_t i = 0; i < out->n_path / 2; i++) {
		const struct pl_path_message kept = out->path[i];

		out->path[i] = out->path[out->n_path - 1 - i];
		out->path[out->n_path - 1 - i] = kept;
	}
	return 0;
}

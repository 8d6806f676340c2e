/* SPDX-License-Identifier: BSD-3-Clause */
/* play.c - ranks go through their steps, messages through their protocol */
#include "config.h"

#include "predict/play.h"

#include "base/rng.h"

#include <math.h>

/* Multiples of it, without their whole parts, are far from one another. */
#define GOLDEN 0.6180339887498949

size_t pl_play_step(const struct pl_play *y, uint32_t call, size_t pos, uint32_t step)
{
	return call * y->n_steps + y->step_from[pos] + step;
}

int pl_play_later(struct pl_play *y, double at_s, enum pl_play_event kind, uint32_t what)
{
	return pl_events_add(&y->events, at_s, kind, what);
}

static const struct pl_message *message(const struct pl_play *y, uint32_t m)
{
	return &y->p->message[m % y->p->n_messages];
}

bool pl_play_has_handshake(const struct pl_play *y, uint32_t m)
{
	return y->protocol->handshake != PL_PUSH && message(y, m)->bytes > y->protocol->eager_bytes;
}

bool pl_play_is_acknowledged(const struct pl_play *y, uint32_t m)
{
	return y->protocol->handshake == PL_ACKNOWLEDGED && pl_play_has_handshake(y, m);
}

/* Does its sender wait for a receipt? Most handshakes tell as much. */
static bool has_receipt(const struct pl_play *y, uint32_t m)
{
	return pl_play_is_acknowledged(y, m) ||
	       (message(y, m)->synchronous && !pl_play_has_handshake(y, m));
}

/* What a step's sends take the processor: with strands, nothing of another may come between its
 * work and them. */
static double post_s(const struct pl_play *y, const struct pl_play_strand *s)
{
	const struct pl_pattern *p = y->p;
	size_t end = s->next_send;

	if (p->n_strands == 0)
		return 0;
	while (end < p->from[s->pos + 1] && p->message[end].send_step == s->step)
		end++;
	return y->rank[s->pos].send_s * (double)(end - s->next_send);
}

/* A step begins with its work. */
static int begin_step(struct pl_play *y, uint32_t strand, double now_s)
{
	struct pl_play_strand *s = &y->strand[strand];
	struct pl_play_rank *r = &y->rank[s->pos];
	const struct pl_protocol *proto = y->protocol;
	double at_s = fmax(now_s, r->busy_s);

	for (; s->next_work < y->p->n_work; s->next_work++) {
		const struct pl_work *w = &y->p->work[s->next_work];

		if (w->pos != s->pos || w->step != s->step)
			break;
		at_s += proto->reduce_s_per_byte * (double)w->reduce_bytes +
			proto->copy_s_per_byte * (double)w->copy_bytes + w->compute_s;
	}
	r->busy_s = at_s + post_s(y, s);
	return pl_play_later(y, at_s, PL_STEP_BEGIN, strand);
}

/* The rank's held strands begin in their order, as many as the window allows; @after has let
 * them. */
static int begin_held(struct pl_play *y, uint32_t pos, uint32_t after, double now_s)
{
	struct pl_play_rank *r = &y->rank[pos];
	const size_t window = y->p->window;

	for (; r->next_held < y->strand_from[pos + 1] && (window == 0 || r->n_held < window);
	     r->next_held++) {
		if (!y->strand[r->next_held].held)
			continue;
		y->strand[r->next_held].after = after;
		r->n_held++;
		if (begin_step(y, (uint32_t)r->next_held, now_s))
			return -1;
	}
	return 0;
}

static int begin_call(struct pl_play *y, uint32_t pos, double now_s)
{
	struct pl_play_rank *r = &y->rank[pos];
	const size_t first = y->strand_from[pos], end = y->strand_from[pos + 1];

	r->n_open = end - first;
	r->next_held = first;
	for (size_t i = first; i < end; i++) {
		struct pl_play_strand *s = &y->strand[i];

		s->step = s->first_step;
		s->next_send = s->first_send;
		s->next_recv = s->first_recv;
		s->next_work = s->first_work;
		s->after = PL_NOBODY;
		if (!s->held && begin_step(y, (uint32_t)i, now_s))
			return -1;
	}
	return begin_held(y, pos, PL_NOBODY, now_s);
}

/* The last rank is done with a call: the next one begins. */
static int begin_together(struct pl_play *y, double now_s)
{
	if (++y->n_waiting < y->p->n_pos)
		return 0;
	y->n_waiting = 0;
	for (uint32_t pos = 0; pos < y->p->n_pos; pos++)
		if (begin_call(y, pos, now_s))
			return -1;
	return 0;
}

static int end_call(struct pl_play *y, uint32_t pos, double now_s)
{
	struct pl_play_rank *r = &y->rank[pos];

	y->ended_s[r->call * y->p->n_pos + pos] = now_s;
	if (++r->call == y->n_calls) {
		y->n_running--;
		return 0;
	}
	return y->apart ? begin_together(y, now_s) : begin_call(y, pos, now_s);
}

static int end_strand(struct pl_play *y, uint32_t strand, double now_s)
{
	const struct pl_play_strand *s = &y->strand[strand];
	struct pl_play_rank *r = &y->rank[s->pos];

	r->last = strand;
	r->n_held -= s->held;
	if (--r->n_open == 0)
		return end_call(y, s->pos, now_s);
	return s->held ? begin_held(y, s->pos, strand, now_s) : 0;
}

/* One thing less to wait for in a step of the rank's present call; the last one ends it. */
static int close_one(struct pl_play *y, uint32_t pos, uint32_t step, uint32_t cause, double now_s)
{
	const uint32_t strand = y->strand_of[y->step_from[pos] + step];
	const size_t at = pl_play_step(y, y->rank[pos].call, pos, step);
	struct pl_play_strand *s = &y->strand[strand];

	y->open[at]--;
	if (cause != PL_NOBODY)
		y->cause[at] = cause;
	if (y->open[at] > 0)
		return 0;
	if (s->step++ == s->end_step)
		return end_strand(y, strand, now_s);
	return begin_step(y, strand, now_s);
}

static int close_send(struct pl_play *y, uint32_t m, double now_s)
{
	const struct pl_message *p = message(y, m);

	return close_one(y, p->src, p->sent_step, m, now_s);
}

static int close_recv(struct pl_play *y, uint32_t m, double now_s)
{
	const struct pl_message *p = message(y, m);

	y->message[m].done_s = now_s;
	if (has_receipt(y, m) && !pl_play_is_acknowledged(y, m) &&
	    pl_play_put(y, PL_RECEIPT, m, now_s))
		return -1;
	return close_one(y, p->dst, p->received_step, m, now_s);
}

/* Data into the connection; what the socket's buffer holds is sent, as far as the program sees. */
static int put_data(struct pl_play *y, uint32_t m, double now_s)
{
	bool sent;

	if (pl_play_put_data(y, m, &sent, now_s))
		return -1;
	return sent && !has_receipt(y, m) ? close_send(y, m, now_s) : 0;
}

static int post_recv(struct pl_play *y, uint32_t m, double now_s)
{
	struct pl_play_message *s = &y->message[m];

	s->recv_s = now_s;
	if (s->come)
		return close_recv(y, m, now_s);
	if (!pl_play_has_handshake(y, m))
		return 0;
	if (y->protocol->handshake == PL_RECEIVER_READY || s->requested)
		return pl_play_put(y, PL_READY, m, now_s);
	return 0;
}

static int post_send(struct pl_play *y, uint32_t m, double now_s)
{
	struct pl_play_message *s = &y->message[m];

	s->posted_s = now_s;
	if (!pl_play_has_handshake(y, m))
		return put_data(y, m, now_s);
	if (y->protocol->handshake != PL_RECEIVER_READY)
		return pl_play_put(y, PL_REQUEST, m, now_s);
	return s->requested ? put_data(y, m, now_s) : 0;
}

/* The receives of a step are posted, its sends one after the other. */
static int post_step(struct pl_play *y, uint32_t strand, double now_s)
{
	struct pl_play_strand *s = &y->strand[strand];
	struct pl_play_rank *r = &y->rank[s->pos];
	const struct pl_pattern *p = y->p;
	const uint32_t first = (uint32_t)(r->call * p->n_messages);
	double at_s = now_s;

	for (; s->next_recv < p->into[s->pos + 1]; s->next_recv++) {
		const uint32_t m = p->received[s->next_recv];

		if (p->message[m].recv_step != s->step)
			break;
		if (post_recv(y, first + m, now_s))
			return -1;
	}
	for (; s->next_send < p->from[s->pos + 1] && p->message[s->next_send].send_step == s->step;
	     s->next_send++) {
		at_s += r->send_s;
		if (pl_play_later(y, at_s, PL_SEND_POST, first + (uint32_t)s->next_send))
			return -1;
	}
	r->busy_s = fmax(r->busy_s, at_s);
	return pl_play_later(y, at_s, PL_STEP_POSTED, strand);
}

/* How long the message waits for the processor; what is left to chance is distributed
 * exponentially. Without that, equal ranks would stay in step, which real ones never do. */
static double wait_of(const struct pl_play *y, const struct pl_play_rank *r,
		      const struct pl_parcel *parc)
{
	const double chance = y->message[parc->message].chance + GOLDEN * parc->kind;

	return r->wait_s - r->chance_s * log1p(-(chance - floor(chance)));
}

/* A parcel is there; the processor turns to it when it is free. The later it is free and the later
 * the parcel comes, the later that is. */
static int receive(struct pl_play *y, uint32_t parcel, double now_s)
{
	const struct pl_parcel *parc = &y->parcel[parcel];
	struct pl_play_rank *r = &y->rank[y->connection[parc->connection].dst];

	if (parc->kind == PL_DATA)
		y->message[parc->message].arrived_s = now_s;
	if (r->wait_s > 0 || r->chance_s > 0)
		now_s += wait_of(y, r, parc);
	r->busy_s = fmax(r->busy_s, now_s) + r->recv_s;
	return pl_play_later(y, r->busy_s, PL_HANDLED, parcel);
}

static int handle(struct pl_play *y, uint32_t parcel, double now_s)
{
	const struct pl_parcel parc = y->parcel[parcel];
	struct pl_play_message *s = &y->message[parc.message];

	pl_play_drop(y, parcel);
	switch (parc.kind) {
	case PL_REQUEST:
		s->requested = true;
		return isnan(s->recv_s) ? 0 : pl_play_put(y, PL_READY, parc.message, now_s);
	case PL_READY:
		s->requested = true;
		return isnan(s->posted_s) ? 0 : put_data(y, parc.message, now_s);
	case PL_HEAD: /* does not arrive on its own */
		break;
	case PL_DATA:
		if (pl_play_is_acknowledged(y, parc.message))
			return pl_play_put(y, PL_RECEIPT, parc.message, now_s);
		s->come = true;
		return isnan(s->recv_s) ? 0 : close_recv(y, parc.message, now_s);
	case PL_RECEIPT:
		if (pl_play_is_acknowledged(y, parc.message) &&
		    pl_play_put(y, PL_END, parc.message, now_s))
			return -1;
		return close_send(y, parc.message, now_s);
	case PL_END:
		return close_recv(y, parc.message, now_s);
	}
	return 0;
}

static int happen(struct pl_play *y, const struct pl_event *e)
{
	const struct pl_play_strand *s;

	switch ((enum pl_play_event)e->kind) {
	case PL_STEP_BEGIN:
		return post_step(y, e->what, e->at_s);
	case PL_SEND_POST:
		return post_send(y, e->what, e->at_s);
	case PL_STEP_POSTED:
		s = &y->strand[e->what];
		return close_one(y, s->pos, s->step, PL_NOBODY, e->at_s);
	case PL_PACKET:
		return pl_play_packet(y, e->what, e->at_s);
	case PL_PACED:
		return pl_play_paced(y, e->what, e->at_s);
	case PL_WORD:
		return pl_play_word(y, e->what, e->at_s);
	case PL_SENT:
		return has_receipt(y, e->what) ? 0 : close_send(y, e->what, e->at_s);
	case PL_ARRIVAL:
		return receive(y, e->what, e->at_s);
	case PL_HANDLED:
		return handle(y, e->what, e->at_s);
	}
	return 0;
}

int pl_play_run(struct pl_play *y, uint64_t seed)
{
	struct pl_event event;

	pl_rng_init(&y->rng, seed, 0);
	for (size_t i = 0; y->varies && i < y->n_calls * y->p->n_messages; i++)
		y->message[i].chance = pl_rng_double(&y->rng);
	for (uint32_t pos = 0; pos < y->p->n_pos; pos++)
		if (begin_call(y, pos, 0))
			return -1;
	while (pl_events_take(&y->events, &event) == 0)
		if (happen(y, &event) || (y->stop && *y->stop))
			return -1;
	return y->n_running > 0;
}

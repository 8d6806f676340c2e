/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - who sends how much to whom in a collective: a script with its sends and receives
 * paired */
#include "config.h"

#include "costmodels/pattern.h"

#include "base/mem.h"
#include "costmodels/script.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void pl_pattern_fini(struct pl_pattern *p)
{
	free(p->message);
	free(p->from);
	free(p->received);
	free(p->into);
	free(p->n_steps);
	free(p->work);
	free(p->strand);
	memset(p, 0, sizeof(*p));
}

uint32_t pl_pattern_strand_step(const struct pl_pattern *p, size_t pos, uint32_t step)
{
	size_t low = 0, high = p->n_strands;

	/* behind the last strand that begins at or before it */
	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const struct pl_strand *s = &p->strand[mid];

		if (s->pos < pos || (s->pos == pos && s->first_step <= step))
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && p->strand[low - 1].pos == pos ? p->strand[low - 1].first_step : 0;
}

/* ---- from a script */

/* Room to pair in. */
struct pairing {
	const struct pl_post *send, *recv;
	uint32_t *order; /* receives by source, then destination, then as
			  * posted */
	size_t *start;   /* [n_pos + 1] of a source's in order */
	size_t *cursor;  /* [n_pos] by destination: the first not yet paired */
	bool *paired;    /* by place in order */
};

static void pairing_fini(struct pairing *w)
{
	free(w->order);
	free(w->start);
	free(w->cursor);
	free(w->paired);
}

static int pairing_init(struct pairing *w, const struct pl_script *s)
{
	w->send = s->send.item;
	w->recv = s->recv.item;
	w->order = pl_array_create(s->recv.n, sizeof(*w->order));
	w->start = pl_array_create(s->n_pos + 2, sizeof(*w->start));
	w->cursor = pl_array_create(s->n_pos, sizeof(*w->cursor));
	w->paired = pl_array_create(s->recv.n, sizeof(*w->paired));
	return w->order && w->start && w->cursor && w->paired ? 0 : -1;
}

/* Scripts go by rank: a stable counting sort by source leaves each source's receives by
 * destination. */
static void sort_receives(struct pairing *w, const struct pl_script *s)
{
	for (size_t i = 0; i < s->recv.n; i++)
		w->start[w->recv[i].peer + 2]++;
	for (size_t k = 2; k < s->n_pos + 2; k++)
		w->start[k] += w->start[k - 1];
	for (size_t i = 0; i < s->recv.n; i++)
		w->order[w->start[w->recv[i].peer + 1]++] = (uint32_t)i;
}

/* Where each destination's receives from @src begin in the order. */
static void aim(struct pairing *w, size_t src)
{
	for (size_t k = w->start[src + 1]; k-- > w->start[src];)
		w->cursor[w->recv[w->order[k]].pos] = k;
}

/* The receive that a send is for: of its pair, the first of its tag. */
static uint32_t partner(struct pairing *w, const struct pl_post *send)
{
	size_t *cursor = &w->cursor[send->peer], k;

	while (w->paired[*cursor])
		++*cursor;
	for (k = *cursor;; k++) {
		assert(k < w->start[send->pos + 1]);
		assert(w->recv[w->order[k]].pos == send->peer);
		if (!w->paired[k] && w->recv[w->order[k]].tag == send->tag)
			break;
	}
	w->paired[k] = true;
	assert(w->recv[w->order[k]].bytes == send->bytes);
	assert(w->recv[w->order[k]].at == send->at);
	assert(!w->recv[w->order[k]].taking == !send->taking);
	return w->order[k];
}

/* p->message in the order of the sends; p->received in that of the receives. */
static void pair_all(struct pairing *w, const struct pl_script *s, struct pl_pattern *p)
{
	size_t at_src = SIZE_MAX;

	for (size_t i = 0; i < s->send.n; i++) {
		const struct pl_post *send = &w->send[i];
		const struct pl_post *recv;
		uint32_t r;

		if (send->pos != at_src)
			aim(w, at_src = send->pos);
		r = partner(w, send);
		recv = &w->recv[r];
		p->received[r] = (uint32_t)i;
		p->message[i] = (struct pl_message){
			.bytes = send->bytes,
			.at = send->at,
			.src = send->pos,
			.dst = send->peer,
			.round = send->round,
			.send_step = send->step,
			.sent_step = send->end_step,
			.recv_step = recv->step,
			.received_step = recv->end_step,
			.taking = recv->taking,
			.synchronous = send->synchronous,
			.tag = send->tag,
		};
		if (send->round >= p->n_rounds)
			p->n_rounds = (size_t)send->round + 1;
	}
}

static int pattern_init(struct pl_pattern *p, const struct pl_script *s)
{
	memset(p, 0, sizeof(*p));
	p->n_pos = s->n_pos;
	p->buffer_bytes = s->buffer_bytes;
	p->gathered = s->gathered;
	p->n_messages = s->send.n;
	p->message = pl_array_create(s->send.n, sizeof(*p->message));
	p->received = pl_array_create(s->send.n, sizeof(*p->received));
	p->from = pl_array_create(s->n_pos + 1, sizeof(*p->from));
	p->into = pl_array_create(s->n_pos + 1, sizeof(*p->into));
	return p->message && p->received && p->from && p->into ? 0 : -1;
}

static void count_ends(const struct pairing *w, const struct pl_script *s, struct pl_pattern *p)
{
	for (size_t i = 0; i < s->send.n; i++) {
		p->from[w->send[i].pos + 1]++;
		p->into[w->recv[i].pos + 1]++;
	}
	for (size_t k = 0; k < s->n_pos; k++) {
		p->from[k + 1] += p->from[k];
		p->into[k + 1] += p->into[k];
	}
}

int pl_script_finish(struct pl_script *s, struct pl_pattern *p, struct pl_err *err)
{
	struct pairing w = {0};
	int rc = -1;

	pl_script_end(s);
	if (s->too_long)
		return pl_err_set(err, PL_EUSAGE, "the pattern has more than %zu messages",
				  PL_PATTERN_MESSAGES_MAX);
	if (s->no_memory || (s->joined && pl_script_sort(s)))
		return pl_err_nomem(err);
	assert(s->send.n == s->recv.n);
	if (pattern_init(p, s) || pairing_init(&w, s)) {
		pl_pattern_fini(p);
		pl_err_nomem(err);
		goto out;
	}
	sort_receives(&w, s);
	pair_all(&w, s, p);
	count_ends(&w, s, p);
	p->n_steps = s->n_steps;
	p->work = s->work.item;
	p->n_work = s->work.n;
	p->strand = s->strand.item;
	p->n_strands = s->strand.n;
	p->window = s->window;
	s->n_steps = NULL;
	s->work.item = NULL;
	s->strand.item = NULL;
	rc = 0;
out:
	pairing_fini(&w);
	return rc;
}

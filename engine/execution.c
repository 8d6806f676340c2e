/* SPDX-License-Identifier: BSD-3-Clause */
/* execution.c - the sends and receives of a pattern in an order that can be executed */
#include "config.h"

#include "engine/execution.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void pl_execution_fini(struct pl_execution *e)
{
	free(e->event);
	memset(e, 0, sizeof(*e));
}

/* One end of a message, in the program of its rank. */
struct end {
	uint32_t step, event;
};

struct play {
	const struct pl_pattern *p;
	struct end *end; /* by rank, then as they happen */
	size_t *first;   /* [n_pos + 1] */
	size_t *at;      /* [n_pos]: the next of each rank */
	bool *sent;      /* by message */
	uint32_t *ready; /* [n_pos] ranks to be looked at; each at most once */
	bool *is_ready;
	size_t n_ready;
};

static void play_fini(struct play *w)
{
	free(w->end);
	free(w->first);
	free(w->at);
	free(w->sent);
	free(w->ready);
	free(w->is_ready);
}

/* In a step sends come before what the rank waits for. */
static int by_step(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	const bool recv_x = !PL_EVENT_SENDS(x->event);
	const bool recv_y = !PL_EVENT_SENDS(y->event);

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (recv_x != recv_y)
		return recv_x ? 1 : -1;
	return (x->event > y->event) - (x->event < y->event);
}

static void list_ends(struct play *w)
{
	const struct pl_pattern *p = w->p;
	size_t n = 0;

	for (size_t pos = 0; pos < p->n_pos; pos++) {
		w->at[pos] = w->first[pos] = n;
		for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++)
			w->end[n++] = (struct end){p->message[i].send_step, (uint32_t)(2 * i)};
		for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++) {
			const uint32_t m = p->received[i];

			w->end[n++] = (struct end){p->message[m].received_step, 2 * m + 1};
		}
		if (n > w->first[pos])
			qsort(w->end + w->first[pos], n - w->first[pos], sizeof(*w->end), by_step);
	}
	w->first[p->n_pos] = n;
}

static void make_ready(struct play *w, uint32_t pos)
{
	if (!w->is_ready[pos])
		w->ready[w->n_ready++] = pos;
	w->is_ready[pos] = true;
}

/* Everything that the rank can do now. */
static void advance(struct play *w, uint32_t pos, struct pl_execution *e)
{
	for (; w->at[pos] < w->first[pos + 1]; w->at[pos]++) {
		const uint32_t event = w->end[w->at[pos]].event;
		const uint32_t m = PL_EVENT_MESSAGE(event);

		if (PL_EVENT_SENDS(event)) {
			w->sent[m] = true;
			make_ready(w, w->p->message[m].dst);
		} else if (!w->sent[m]) {
			return;
		}
		e->event[e->n++] = event;
	}
}

static int play_init(struct play *w, const struct pl_pattern *p)
{
	*w = (struct play){.p = p};
	w->end = pl_array_create(2 * p->n_messages, sizeof(*w->end));
	w->first = pl_array_create(p->n_pos + 1, sizeof(*w->first));
	w->at = pl_array_create(p->n_pos, sizeof(*w->at));
	w->sent = pl_array_create(p->n_messages, sizeof(*w->sent));
	w->ready = pl_array_create(p->n_pos, sizeof(*w->ready));
	w->is_ready = pl_array_create(p->n_pos, sizeof(*w->is_ready));
	return w->end && w->first && w->at && w->sent && w->ready && w->is_ready ? 0 : -1;
}

static void play(struct play *w, struct pl_execution *e)
{
	list_ends(w);
	for (size_t pos = w->p->n_pos; pos-- > 0;)
		make_ready(w, (uint32_t)pos);
	while (w->n_ready > 0) {
		const uint32_t pos = w->ready[--w->n_ready];

		w->is_ready[pos] = false;
		advance(w, pos, e);
	}
}

int pl_execution_init(struct pl_execution *e, const struct pl_pattern *p, struct pl_err *err)
{
	struct play w;
	int rc = 0;

	if (p->n_strands > 0)
		return pl_err_set(err, PL_EUSAGE, "ranks do several things beside each other");
	*e = (struct pl_execution){.event = pl_array_create(2 * p->n_messages, sizeof(*e->event))};
	if (play_init(&w, p) || !e->event) {
		rc = pl_err_nomem(err);
	} else {
		play(&w, e);
		if (e->n < 2 * p->n_messages)
			rc = pl_err_set(err, PL_EUSAGE, "ranks wait for one another for ever");
	}
	play_fini(&w);
	if (rc)
		pl_execution_fini(e);
	return rc;
}

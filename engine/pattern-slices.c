/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-slices.c - the slices of an all-reduce, found in a pattern's
 * messages */
/*
 * The rounds of one piece. Of a rank's sends and receives of the piece:
 *   a receive, then a send      the send is in a later round: it takes what
 *                               came in before
 *   a send, then a receive      the receive is in the same round or later: what
 *                               comes in then is not taken
 *   two receives                the later one is in a later round if one of
 *                               them stores
 * The smallest rounds that keep all of this are found by going through the events of all ranks, in
 * an order in which the pattern can run, until no round rises any more.
 */
#include "config.h"

#include "engine/slices.h"

#include "base/mem.h"
#include "engine/execution.h"

#include <stdlib.h>
#include <string.h>

/* What a rank has done of a piece, in a sweep. */
struct rank {
	uint32_t next_send;                       /* the first round in which it may send */
	uint32_t last_send, last_add, last_store; /* 0: none, else round + 1 */
};

struct work {
	const struct pl_pattern *p;
	struct pl_execution events;
	uint64_t *cut; /* [n_cuts]: where pieces begin; the last: the end */
	size_t n_cuts;
	struct rank *rank; /* [n_pos] */
	uint32_t *round;   /* [n_messages] */
	/* the events of piece i, as they can happen: carrying[from[i]] .. carrying[from[i + 1] -
	 * 1] */
	uint32_t *carrying;
	size_t *from; /* [n_cuts + 1] */
};

static void work_fini(struct work *w)
{
	pl_execution_fini(&w->events);
	free(w->cut);
	free(w->rank);
	free(w->round);
	free(w->carrying);
	free(w->from);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Where it ends, which may be in front of where it begins. */
static uint64_t end_of(const struct pl_pattern *p, const struct pl_message *m)
{
	const uint64_t end = m->at + m->bytes;

	return end > p->buffer_bytes ? end - p->buffer_bytes : end;
}

static int find_cuts(struct work *w)
{
	const struct pl_pattern *p = w->p;
	const size_t n_blocks = p->gathered ? p->n_pos : 1;
	size_t n = 0, kept = 0;

	w->cut = pl_array_create(2 * p->n_messages + n_blocks + 1, sizeof(*w->cut));
	if (!w->cut)
		return -1;
	for (size_t k = 0; k <= n_blocks; k++)
		w->cut[n++] = p->buffer_bytes / n_blocks * k;
	for (size_t i = 0; i < p->n_messages; i++)
		if (p->message[i].taking && p->message[i].bytes) {
			w->cut[n++] = p->message[i].at;
			w->cut[n++] = end_of(p, &p->message[i]);
		}
	qsort(w->cut, n, sizeof(*w->cut), by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || w->cut[i] != w->cut[kept - 1])
			w->cut[kept++] = w->cut[i];
	w->n_cuts = kept;
	return 0;
}

/* The piece that begins at @byte, which is a cut. */
static size_t piece_at(const struct work *w, uint64_t byte)
{
	const uint64_t *cut = bsearch(&byte, w->cut, w->n_cuts, sizeof(*w->cut), by_number);

	return (size_t)(cut - w->cut);
}

/* Adds the event to the pieces of its message: counts them in from[i + 2], or, with @list, puts it
 * there. */
static void spread(struct work *w, uint32_t event, bool list)
{
	const struct pl_message *m = &w->p->message[PL_EVENT_MESSAGE(event)];
	const size_t n_pieces = w->n_cuts - 1;
	uint64_t left = m->taking ? m->bytes : 0;

	for (size_t i = left ? piece_at(w, m->at) : 0; left > 0; i = (i + 1) % n_pieces) {
		if (list)
			w->carrying[w->from[i + 1]++] = event;
		else
			w->from[i + 2]++;
		left -= w->cut[i + 1] - w->cut[i];
	}
}

static int list_events(struct work *w)
{
	w->from = pl_array_create(w->n_cuts + 1, sizeof(*w->from));
	if (!w->from)
		return -1;
	for (size_t i = 0; i < w->events.n; i++)
		spread(w, w->events.event[i], false);
	for (size_t i = 2; i <= w->n_cuts; i++)
		w->from[i] += w->from[i - 1];
	w->carrying = pl_array_create(w->from[w->n_cuts], sizeof(*w->carrying));
	if (!w->carrying)
		return -1;
	for (size_t i = 0; i < w->events.n; i++)
		spread(w, w->events.event[i], true);
	return 0;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Raises the message's round to what the rank's event asks for; true if that
 * is more than it was. */
static bool raise_round(struct work *w, uint32_t event)
{
	const struct pl_message *m = &w->p->message[PL_EVENT_MESSAGE(event)];
	uint32_t *round = &w->round[PL_EVENT_MESSAGE(event)];
	const uint32_t before = *round;

	if (PL_EVENT_SENDS(event)) {
		struct rank *r = &w->rank[m->src];

		*round = later(*round, r->next_send);
		r->last_send = later(r->last_send, *round + 1);
	} else {
		struct rank *r = &w->rank[m->dst];
		uint32_t *last = m->taking == PL_ADDS ? &r->last_add : &r->last_store;

		if (r->last_send > 0)
			*round = later(*round, r->last_send - 1);
		*round = later(*round, r->last_store);
		if (m->taking == PL_STORES)
			*round = later(*round, r->last_add);
		*last = later(*last, *round + 1);
		r->next_send = later(r->next_send, *round + 1);
	}
	return *round > before;
}

static int find_rounds(struct work *w, size_t piece, struct pl_err *err)
{
	const size_t first = w->from[piece], end = w->from[piece + 1];
	bool risen = true;

	for (size_t i = first; i < end; i++)
		w->round[PL_EVENT_MESSAGE(w->carrying[i])] = 0;
	for (size_t sweep = 0; risen; sweep++) {
		if (sweep > end - first)
			return pl_err_set(err, PL_EUSAGE,
					  "the messages cannot be ordered in rounds");
		risen = false;
		memset(w->rank, 0, w->p->n_pos * sizeof(*w->rank));
		for (size_t i = first; i < end; i++)
			risen |= raise_round(w, w->carrying[i]);
	}
	return 0;
}

static int by_round(const void *a, const void *b)
{
	const struct pl_slice_transfer *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->dst != y->dst)
		return x->dst < y->dst ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

static int make_slice(const struct work *w, size_t piece, struct pl_slice *slice)
{
	for (size_t i = w->from[piece]; i < w->from[piece + 1]; i++) {
		const uint32_t k = PL_EVENT_MESSAGE(w->carrying[i]);
		const struct pl_message *m = &w->p->message[k];

		if (PL_EVENT_SENDS(w->carrying[i]) &&
		    pl_slice_append(slice,
				    (struct pl_slice_transfer){.round = w->round[k],
							       .src = m->src,
							       .dst = m->dst,
							       .adds = m->taking == PL_ADDS}))
			return -1;
	}
	if (slice->n_transfers > 0)
		qsort(slice->transfer, slice->n_transfers, sizeof(*slice->transfer), by_round);
	return 0;
}

static int find_slices(struct work *w, struct pl_slices *slices, struct pl_err *err)
{
	const uint64_t block = w->p->gathered ? w->p->buffer_bytes / w->p->n_pos : 0;

	for (size_t i = 0; i + 1 < w->n_cuts; i++) {
		struct pl_slice slice = {.weight = w->cut[i + 1] - w->cut[i]};
		const uint32_t owner = block ? (uint32_t)(w->cut[i] / block) : PL_SLICE_ALL;

		if (find_rounds(w, i, err))
			return -1;
		if (make_slice(w, i, &slice) || pl_slices_add_take(slices, &slice, owner)) {
			pl_slice_fini(&slice);
			return pl_err_nomem(err);
		}
	}
	return 0;
}

static int work_init(struct work *w, const struct pl_pattern *p, struct pl_err *err)
{
	*w = (struct work){.p = p};
	if (pl_execution_init(&w->events, p, err))
		return -1;
	w->rank = pl_array_create(p->n_pos, sizeof(*w->rank));
	w->round = pl_array_create(p->n_messages, sizeof(*w->round));
	if (w->rank && w->round && find_cuts(w) == 0 && list_events(w) == 0)
		return 0;
	return pl_err_nomem(err);
}

int pl_slices_of_pattern(struct pl_slices *slices, const struct pl_pattern *p, struct pl_err *err)
{
	struct work w;
	int rc;

	if (p->buffer_bytes == 0)
		return pl_err_set(err, PL_EUSAGE, "which bytes the messages carry is not known");
	rc = work_init(&w, p, err);
	if (rc == 0)
		rc = find_slices(&w, slices, err);
	if (rc)
		pl_slices_fini(slices);
	work_fini(&w);
	return rc;
}

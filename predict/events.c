/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - what will happen, soonest first */
#include "config.h"

#include "predict/events.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void pl_events_fini(struct pl_events *q)
{
	free(q->heap);
	memset(q, 0, sizeof(*q));
}

/* Children of a node: they share cache lines, and the tree is half as deep as with two. */
#define CHILDREN 4

/* Times are never negative: their bits are in the order of their values. One comparison that is no
 * branch, of what is as good as random. */
static unsigned __int128 key(const struct pl_event *e)
{
	uint64_t at;

	memcpy(&at, &e->at_s, sizeof(at));
	return (unsigned __int128)at << 64 | e->number;
}

/* Up from the free place @i. */
static void rise(struct pl_events *q, size_t i, struct pl_event event)
{
	for (; i > 0; i = (i - 1) / CHILDREN) {
		const size_t parent = (i - 1) / CHILDREN;

		if (key(&q->heap[parent]) <= key(&event))
			break;
		q->heap[i] = q->heap[parent];
	}
	q->heap[i] = event;
}

static size_t soonest(const struct pl_events *q, size_t from, size_t to)
{
	size_t best = from;

	for (size_t i = from + 1; i < to; i++)
		best = key(&q->heap[i]) < key(&q->heap[best]) ? i : best;
	return best;
}

/* The soonest child of @i among @n, or n: it has none. */
static size_t below(const struct pl_events *q, size_t i, size_t n)
{
	const size_t child = CHILDREN * i + 1, end = child + CHILDREN;

	return child < n ? soonest(q, child, end < n ? end : n) : n;
}

/* Down from the free place at the top of @n. */
static void sink(struct pl_events *q, size_t n, struct pl_event event)
{
	size_t i = 0, child;

	while ((child = below(q, i, n)) < n && key(&q->heap[child]) < key(&event)) {
		q->heap[i] = q->heap[child];
		i = child;
	}
	q->heap[i] = event;
}

int pl_events_add(struct pl_events *q, double at_s, uint32_t kind, uint32_t what)
{
	const struct pl_event event = {
		.at_s = at_s + 0.0, /* not -0, whose bits are large */
		.number = q->added++,
		.kind = kind,
		.what = what,
	};
	void *heap = q->heap;

	if (q->top_is_free) {
		q->top_is_free = false;
		sink(q, ++q->n, event);
		return 0;
	}
	if (pl_array_grow(&heap, &q->room, q->n, sizeof(*q->heap)))
		return -1;
	q->heap = heap;
	rise(q, q->n++, event);
	return 0;
}

/* The free place at the top sinks to the bottom, and what stands last rises from there: it is
 * seldom one of the soon. */
static void close_up(struct pl_events *q)
{
	const size_t n = q->n;
	size_t i = 0, child;

	q->top_is_free = false;
	while ((child = below(q, i, n)) < n) {
		q->heap[i] = q->heap[child];
		i = child;
	}
	rise(q, i, q->heap[n]);
}

const struct pl_event *pl_events_first(struct pl_events *q)
{
	if (q->top_is_free)
		close_up(q);
	return q->n > 0 ? q->heap : NULL;
}

/* Its place stays free: most events bring about another one soon after, which is then the next or
 * sinks a little. */
int pl_events_take(struct pl_events *q, struct pl_event *event)
{
	const struct pl_event *first = pl_events_first(q);

	if (!first)
		return -1;
	*event = *first;
	q->n--;
	q->top_is_free = true;
	return 0;
}

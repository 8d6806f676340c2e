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

/* Children of a node: they share cache lines, and the tree is half as deep as
 * with two. */
#define CHILDREN 4

/* Times are never negative: their bits are in the order of their values. One
 * comparison that is no branch, of what is as good as random. */
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

int pl_events_add(struct pl_events *q, struct pl_event event)
{
	void *heap = q->heap;

	if (pl_array_grow(&heap, &q->room, q->n, sizeof(*q->heap)))
		return -1;
	q->heap = heap;
	event.number = q->added++;
	event.at_s += 0.0; /* not -0, whose bits are large */
	rise(q, q->n++, event);
	return 0;
}

static size_t soonest(const struct pl_events *q, size_t from, size_t to)
{
	size_t best = from;

	for (size_t i = from + 1; i < to; i++)
		best = key(&q->heap[i]) < key(&q->heap[best]) ? i : best;
	return best;
}

/* The free place at the top sinks to the bottom, and what stood last rises from
 * there: it is seldom one of the soon. */
int pl_events_take(struct pl_events *q, struct pl_event *event)
{
	struct pl_event last;
	size_t i = 0, child;

	if (q->n == 0)
		return -1;
	*event = q->heap[0];
	last = q->heap[--q->n];
	while ((child = CHILDREN * i + 1) < q->n) {
		const size_t end = child + CHILDREN;

		child = soonest(q, child, end < q->n ? end : q->n);
		q->heap[i] = q->heap[child];
		i = child;
	}
	rise(q, i, last);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - what will happen, soonest first */
#include "config.h"

#include "predict/events.h"

#include "src/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void pl_events_fini(struct pl_events *q)
{
	free(q->heap);
	memset(q, 0, sizeof(*q));
}

static bool before(const struct pl_event *a, const struct pl_event *b)
{
	if (a->at_s < b->at_s)
		return true;
	return a->at_s <= b->at_s && a->number < b->number;
}

int pl_events_add(struct pl_events *q, struct pl_event event)
{
	void *heap = q->heap;
	size_t i = q->n;

	if (pl_array_grow(&heap, &q->room, q->n, sizeof(*q->heap)))
		return -1;
	q->heap = heap;
	event.number = q->added++;
	for (q->n++; i > 0 && before(&event, &q->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = event;
	return 0;
}

int pl_events_take(struct pl_events *q, struct pl_event *event)
{
	struct pl_event last;
	size_t i = 0, child;

	if (q->n == 0)
		return -1;
	*event = q->heap[0];
	last = q->heap[--q->n];
	for (; (child = 2 * i + 1) < q->n; i = child) {
		if (child + 1 < q->n &&
		    before(&q->heap[child + 1], &q->heap[child]))
			child++;
		if (!before(&q->heap[child], &last))
			break;
		q->heap[i] = q->heap[child];
	}
	q->heap[i] = last;
	return 0;
}

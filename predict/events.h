/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - a queue of future events, soonest first */
#ifndef PLINK_PREDICT_EVENTS_H
#define PLINK_PREDICT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_event {
	double at_s; /* not negative */
	/* at equal times the event that was added first comes first */
	uint64_t number;
	uint32_t kind, what;
};

/* Start with {0}, end with fini. A heap. */
struct pl_events {
	struct pl_event *heap;
	size_t n, room;
	bool top_is_free; /* it and n more places are in use */
	uint64_t added;
};

void pl_events_fini(struct pl_events *q);

/* Adds an event. 0, or -1: out of memory. O(log n). */
int pl_events_add(struct pl_events *q, double at_s, uint32_t kind, uint32_t what);

/* The soonest event, NULL: there is none. O(log n). */
const struct pl_event *pl_events_first(struct pl_events *q);

/* Takes the soonest event out. 0, or -1: there is none. O(log n). */
int pl_events_take(struct pl_events *q, struct pl_event *event);

#endif

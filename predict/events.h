/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - what will happen, soonest first */
#ifndef PLINK_PREDICT_EVENTS_H
#define PLINK_PREDICT_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct pl_event {
	double at_s;     /* not negative */
	uint64_t number; /* of equal times, the first added comes first */
	uint32_t kind, what;
};

/* Start with {0}, end with fini. A heap. */
struct pl_events {
	struct pl_event *heap;
	size_t n, room;
	uint64_t added;
};

void pl_events_fini(struct pl_events *q);

/* Adds one; its number is set here. 0, or -1: no memory. */
int pl_events_add(struct pl_events *q, struct pl_event event);

/* Takes the soonest. 0, or -1: there is none. */
int pl_events_take(struct pl_events *q, struct pl_event *event);

#endif

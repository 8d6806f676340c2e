/* SPDX-License-Identifier: BSD-3-Clause */
/* trips.c - round trips of a TCP stream: when was answered what it sent? */
#include "config.h"

#include "audit/trips.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* More than a window holds; where answers are not in the capture. */
#define OPEN_MAX 65536

/* a - b, of sequence numbers, which wrap. */
static int32_t distance(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

static void blur(struct pl_trips *t)
{
	for (size_t i = t->first; i < t->n_open; i++)
		t->open[i].unclear = true;
}

/* Makes the list begin at its first place again. */
static void pack(struct pl_trips *t)
{
	if (t->n_open - t->first >= OPEN_MAX)
		t->first = t->n_open; /* nobody answers here */
	if (t->first < t->n_open / 2 + 1)
		return;
	memmove(t->open, t->open + t->first, (t->n_open - t->first) * sizeof(*t->open));
	t->n_open -= t->first;
	t->first = 0;
}

int pl_trips_sent(struct pl_trips *t, uint32_t seq, uint32_t len, int64_t ns)
{
	const uint32_t end = seq + len;
	bool again;

	if (len == 0)
		return 0;
	if (!t->based) {
		t->based = true;
		t->sent = seq;
	}
	again = distance(seq, t->sent) < 0;
	if (again) {
		t->n_again++;
		blur(t);
	}
	if (distance(end, t->sent) <= 0)
		return 0;
	t->sent = end;
	if (t->open)
		pack(t);
	if (pl_array_grow((void **)&t->open, &t->open_room, t->n_open, sizeof(*t->open)))
		return -1;
	t->open[t->n_open++] = (struct pl_trip_open){end, ns, again};
	return 0;
}

int pl_trips_answered(struct pl_trips *t, uint32_t ack, int64_t ns, bool bare)
{
	const struct pl_trip_open *last = NULL;

	/* an answer to what was never sent here: the capture began later */
	if (!t->based || distance(ack, t->sent) > 0)
		return 0;
	while (t->first < t->n_open && distance(ack, t->open[t->first].end) >= 0)
		last = &t->open[t->first++];
	/* half of a segment leaves it unclear what was answered */
	if (!last || last->end != ack || last->unclear || ns < last->ns)
		return 0;
	if (pl_array_grow((void **)&t->trip, &t->room, t->n, sizeof(*t->trip)))
		return -1;
	t->trip[t->n++] = (struct pl_trip){ns - last->ns, bare};
	return 0;
}

void pl_trips_fini(struct pl_trips *t)
{
	free(t->open);
	free(t->trip);
	memset(t, 0, sizeof(*t));
}

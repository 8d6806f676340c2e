/* SPDX-License-Identifier: BSD-3-Clause */
/* meter.h - the rate of bytes that arrive, when TCP has found it */
#ifndef PLINK_PROBES_BANDWIDTH_METER_H
#define PLINK_PROBES_BANDWIDTH_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_METER_MARKS 1025
#define PL_METER_WINDOW_NS INT64_C(10000000) /* least */
#define PL_METER_SETTLED 8 /* windows that must agree, the last ones */
#define PL_METER_LEAST 12  /* windows before that is looked at */

/* How many bytes had come at a moment when some did. */
struct pl_mark {
	int64_t at_ns;
	uint64_t bytes;
};

/*
 * Marks are set when bytes arrive, a window or more after the mark before: what
 * came between two of them took just the time between them, however bytes come
 * in lumps.
 */
struct pl_meter {
	struct pl_mark mark[PL_METER_MARKS]; /* [n] */
	size_t n;
	int64_t window_ns;
	uint64_t bytes;  /* so far */
	int64_t last_ns; /* when the last ones came */
};

/* For a flow of at most @limit_ns on a path of that round trip: a window holds
 * two round trips, since slow start sends in bursts of one. */
void pl_meter_init(struct pl_meter *m, int64_t limit_ns, int64_t rtt_ns);

/* So many bytes more, more than 0. */
void pl_meter_add(struct pl_meter *m, int64_t now_ns, uint64_t bytes);

/* From the first byte to the last, ns. */
int64_t pl_meter_elapsed(const struct pl_meter *m);

/* Do the two halves of the last windows differ by @share at most? */
bool pl_meter_is_settled(const struct pl_meter *m, double share);

/* Bytes per second of the windows by which it is settled. */
double pl_meter_settled_rate(const struct pl_meter *m);

/* Bytes per second from the share @from of the elapsed time to the share @to,
 * to the nearest marks within; of all of it where those are not two. 0: there
 * was nothing to measure by. */
double pl_meter_rate(const struct pl_meter *m, double from, double to);

/* Bytes per second between two moments, whenever the first and the last ones
 * came: between marks they are taken to have come evenly. */
double pl_meter_between(const struct pl_meter *m, int64_t from_ns,
			int64_t to_ns);

#endif

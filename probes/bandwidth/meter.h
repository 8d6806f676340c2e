/* SPDX-License-Identifier: BSD-3-Clause */
/* meter.h - the rate of arriving bytes, once TCP has settled */
#ifndef PLINK_PROBES_BANDWIDTH_METER_H
#define PLINK_PROBES_BANDWIDTH_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_METER_MARKS 1025
#define PL_METER_WINDOW_NS INT64_C(10000000) /* usual least */
#define PL_METER_SETTLED 8                   /* number of last windows that must agree */
#define PL_METER_LEAST 12                    /* windows before the rate may settle */

/* How many bytes had arrived at a moment when some arrived. */
struct pl_mark {
	int64_t at_ns;
	uint64_t bytes;
};

/*
 * A mark is set when bytes arrive at least a window after the mark before. So the bytes between two
 * marks arrived in exactly the time between them, however bursty the arrival is.
 */
struct pl_meter {
	struct pl_mark mark[PL_METER_MARKS]; /* [n] */
	size_t n;
	int64_t window_ns;
	uint64_t bytes;  /* so far */
	int64_t last_ns; /* when the last bytes arrived */
};

/* For a flow of at most @limit_ns on a path with round trip @rtt_ns. A window is at least
 * PL_METER_WINDOW_NS and two round trips long, since slow start sends one burst per round trip; but
 * at most @limit_ns / 16, and long enough for all marks to fit. */
void pl_meter_init(struct pl_meter *m, int64_t limit_ns, int64_t rtt_ns);

/* Counts @bytes more, which must not be 0. */
void pl_meter_add(struct pl_meter *m, int64_t now_ns, uint64_t bytes);

/* From the first byte to the last, ns. */
int64_t pl_meter_elapsed(const struct pl_meter *m);

/* Do the rates of the two halves of the last windows differ by at most @share of the greater
 * one? */
bool pl_meter_is_settled(const struct pl_meter *m, double share);

/* Bytes per second over the windows that settled it. */
double pl_meter_settled_rate(const struct pl_meter *m);

/* Bytes per second between the shares @from and @to of the elapsed time, measured between the
 * nearest marks within; over the whole time where there are fewer than two marks within. 0: nothing
 * to measure by. */
double pl_meter_rate(const struct pl_meter *m, double from, double to);

/* Bytes per second between two moments, wherever these lie; between marks bytes are assumed to
 * arrive evenly. */
double pl_meter_between(const struct pl_meter *m, int64_t from_ns, int64_t to_ns);

#endif

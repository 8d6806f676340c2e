/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - parses what fping prints about one target */
#ifndef PLINK_PROBES_FPING_OUTPUT_H
#define PLINK_PROBES_FPING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FPING_LOST (-1)

/* The answer to one request of "fping -C". */
struct pl_fping_trip {
	int64_t rtt_ns;  /* or PL_FPING_LOST */
	int64_t step_ns; /* value of one unit in the last printed digit */
};

/*
 * Reads "TARGET : 0.032 - 1.24 30.1": round trips in ms, '-' for requests
 * without an answer. Writes v[*n], *n <= room. 0, or -1 with *n undefined: not
 * such a line, or more than @room round trips.
 */
int pl_fping_trips(const char *line, const char *target, struct pl_fping_trip *v, size_t room,
		   size_t *n);

/* Is it empty or a line about a single request ("TARGET : [0], ...")? The
 * others contain all that such lines tell. */
bool pl_fping_is_idle(const char *line, const char *target);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - shows progress in one line of a terminal, which is
 * overwritten */
#ifndef PLINK_SRC_COMMON_PROGRESS_H
#define PLINK_SRC_COMMON_PROGRESS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PROGRESS_UNSTEADY (-INFINITY)

/* The present progress. */
struct pl_progress_now {
	uint64_t done, total; /* total 0: not known */
	const char *phase;    /* what is done: "measuring" */
	const char *unit;     /* what is counted: "pairs" */
	double elapsed_s;     /* since the phase began */
	/* NaN: computed from the rate so far; UNSTEADY: neither is shown */
	double left_s;
	const char *more; /* further text; NULL: none */
};

/*
 * "tool: measuring: 12 of 496 pairs, 31.2/s, 16 s left, ...": the rate is shown after half a
 * second, the time left if it is known. Cut to @room - 1 bytes. Returns @buf.
 */
const char *pl_progress_text(char *buf, size_t room, const char *tool,
			     const struct pl_progress_now *now);

/* Start with pl_progress_begin, end with pl_progress_end. */
struct pl_progress {
	const char *tool;
	bool on;                    /* standard error is a terminal */
	bool open;                  /* a line is shown and not ended */
	const char *phase;          /* of the line shown last; NULL: none yet */
	int64_t start_ns, shown_ns; /* start_ns: of the phase */
};

void pl_progress_begin(struct pl_progress *p, const char *tool);

/* Shows the progress, at most ten times a second; fills in elapsed_s. Does nothing if standard
 * error is not a terminal. */
void pl_progress_show(struct pl_progress *p, struct pl_progress_now now);

/* Clears the line. */
void pl_progress_end(struct pl_progress *p);

#endif

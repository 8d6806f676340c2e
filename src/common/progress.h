/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - how far long work is: one line of a terminal, written over and
 * over */
#ifndef PLINK_SRC_COMMON_PROGRESS_H
#define PLINK_SRC_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far it is now. */
struct pl_progress_now {
	uint64_t done, total; /* total 0: not known */
	const char *unit;     /* "pairs" */
	double elapsed_s;     /* since it began */
	double left_s;        /* NaN: by the rate so far */
	const char *more;     /* what else there is to say; NULL: nothing */
};

/*
 * "tool: 12 of 496 pairs, 31.2/s, 16 s left, ...": the rate once half a second
 * is over, what is left where that is known, cut to @room - 1 bytes. Returns
 * @buf.
 */
const char *pl_progress_text(char *buf, size_t room, const char *tool,
			     const struct pl_progress_now *now);

/* Start with begin, end with end. */
struct pl_progress {
	const char *tool;
	bool on;   /* standard error is a terminal */
	bool open; /* there is a line without an end */
	int64_t start_ns, shown_ns;
};

void pl_progress_begin(struct pl_progress *p, const char *tool);

/* Shows it, ten times a second at most; elapsed_s is filled in. Nothing where
 * standard error is no terminal. */
void pl_progress_show(struct pl_progress *p, struct pl_progress_now now);

/* Wipes the line out. */
void pl_progress_end(struct pl_progress *p);

#endif

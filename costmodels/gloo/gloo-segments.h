/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-segments.h - a buffer in segments that go round a ring, two in flight */
#ifndef PLINK_COSTMODELS_GLOO_SEGMENTS_H
#define PLINK_COSTMODELS_GLOO_SEGMENTS_H

#include "costmodels/gloo/algorithms.h"

/* The largest segment of Gloo if the call does not set a length. */
#define PL_GLOO_SEGMENT_BYTES_MAX ((uint64_t)1 << 20)

struct pl_gloo_segments {
	size_t n_pos;
	uint64_t total_bytes, segment_bytes;
	uint64_t per_rank, n; /* n = per_rank * n_pos */
};

static inline uint64_t pl_gloo_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* Refuses calls with more messages than a pattern can hold. 0, or -1 with @err
 * set (PL_EUSAGE). */
int pl_gloo_segments_check(const struct pl_gloo_segments *g, struct pl_err *err);

/* Bytes of the segments @first .. @first + @count - 1, with @first counted
 * modulo n. Segments beyond the end of the buffer, which the rounding up
 * leaves, have 0 bytes. The range must not wrap from the last segment to the
 * first. */
uint64_t pl_gloo_segment_bytes(const struct pl_gloo_segments *g, uint64_t first, uint64_t count);

/* Where segment @i, counted modulo n, begins. */
uint64_t pl_gloo_segment_at(const struct pl_gloo_segments *g, uint64_t i);

/* A rank sends @count segments to the rank before it and receives as many from
 * the rank behind it. */
struct pl_gloo_pass {
	uint64_t first_sent, first_received, count;
	uint32_t first_round;
	bool reduces;
};

void pl_gloo_segments_pass(struct pl_script *s, const struct pl_gloo_segments *g,
			   const struct pl_gloo_pass *pass);

#endif

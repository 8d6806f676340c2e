/* SPDX-License-Identifier: BSD-3-Clause */
/* suspect.h - finds measured pairs that were probably disturbed */
#ifndef PLINK_PROBES_RUN_SUSPECT_H
#define PLINK_PROBES_RUN_SUSPECT_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "probes/pair/settle.h"
#include "probes/run/rounds.h"

#include <stddef.h>
#include <stdint.h>

/* Layers of a matrix of either storage, and [n*n] flags of cells. */
struct pl_suspect_input {
	size_t n;
	const struct pl_layer *p10, *p50; /* ns */
	const struct pl_layer *sent, *lost, *late;
	const uint8_t *fresh;          /* 1: measured now; others are not suspected */
	struct pl_tolerance tolerance; /* to which p10 was settled */
	size_t most;                   /* largest number of pairs to name */
};

/*
 * Finds up to in->most suspected pairs, the worst first: out[*n]. A pair is
 * suspected when
 * (1) its two directions differ by more than three tolerances;
 * (2) its distance from p10 to p50 exceeds four times that of the median
 *     pair by more than three tolerances, or the share of its probes that
 *     were lost or late exceeds the median share by more than a tenth;
 * (3) it is slower than its neighbourhood predicts: the median of the values
 *     between the three hosts nearest to either end and the other end, by more
 *     than five times the residuals' median absolute deviation and three
 *     tolerances.
 * The score of a pair is the sum of its excesses, in tolerances (1, 2, 3) and in percent (loss).
 * Memory grows with the number of cells present. 0, or -1 with @err set: out of memory.
 */
int pl_suspect(const struct pl_suspect_input *in, struct pl_meet *out, size_t *n,
	       struct pl_err *err);

#endif

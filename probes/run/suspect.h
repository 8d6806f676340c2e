/* SPDX-License-Identifier: BSD-3-Clause */
/* suspect.h - which measured pairs look as if something had disturbed them */
#ifndef PLINK_PROBES_RUN_SUSPECT_H
#define PLINK_PROBES_RUN_SUSPECT_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "probes/pair/settle.h"
#include "probes/run/rounds.h"

#include <stddef.h>
#include <stdint.h>

/* Layers of a matrix, of either kind, and [n*n] of cells. */
struct pl_suspect_input {
	size_t n;
	const struct pl_layer *p10, *p50; /* ns */
	const struct pl_layer *sent, *lost, *late;
	const uint8_t *fresh; /* 1: measured now; others are not suspected */
	struct pl_tolerance tolerance; /* what p10 was settled to */
	size_t most;                   /* pairs to be named */
};

/*
 * Names up to in->most pairs, the worst first, out[*n]. A pair is suspected
 * when
 * (1) its two directions differ by more than three tolerances;
 * (2) the way from p10 to p50 is four times as long as in the median pair, or
 *     more than a tenth of its probes were lost or late beyond the median
 *     share;
 * (3) it is slower than its neighbourhood says: the median of what the three
 *     hosts nearest to either end have to the other end, by more than five
 *     times the residuals' median absolute deviation and three tolerances.
 * The score of a pair is the sum of its excesses, in tolerances (1, 2, 3) and
 * in percent (loss). Takes memory by the cells that are there. 0, or -1: out of
 * memory (@err).
 */
int pl_suspect(const struct pl_suspect_input *in, struct pl_meet *out,
	       size_t *n, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.h - for benches: costs between hosts in racks, and the order behind them */
#ifndef PLINK_BENCH_RACKS_H
#define PLINK_BENCH_RACKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How hosts are spread, and what a hop between them costs. */
struct racks_kind {
	const char *name;
	size_t racks_in_pod; /* 0: no pods */
	bool uneven;         /* racks of half to one and a half of the size */
	bool varied;         /* costs across racks: 3/4 to 5/4 of the usual, by pair of
				racks */
	double noise;        /* each hop costs more by a half-normal share of this */
	bool directed;       /* each direction has costs and noise of its own */
	/* no racks: a hop costs 0 to 4000, or 4000 times the distance of two points in a square */
	bool uniform, plane;
};

/*
 * Costs are 1000 within a rack and 4000 across racks; with pods, 2000 between racks of one pod and
 * 6000 between pods; the same both ways except for noise. Racks have @size hosts. Hosts are
 * numbered at random, the same for the same seed: c[n * n] as the solver sees them, planted[n] the
 * hosts rack by rack. 0, or -1 with @err set: out of memory.
 */
int racks_fill(const struct racks_kind *kind, size_t n, size_t size, uint64_t seed, double *c,
	       size_t *planted, struct pl_err *err);

#endif

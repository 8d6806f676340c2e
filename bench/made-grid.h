/* SPDX-License-Identifier: BSD-3-Clause */
/* made-grid.h - invented measurements of all-reduces, with known true values */
#ifndef PLINK_BENCH_MADE_GRID_H
#define PLINK_BENCH_MADE_GRID_H

#include <stdint.h>
#include <stdio.h>

#define MADE_MACHINES 6

struct made_grid {
	uint64_t seed;
	double noise;       /* standard deviation of ln(seconds) */
	int64_t n_machines; /* 1 to MADE_MACHINES */
	int64_t n_repeats;
	/* the largest values: sizes are 4 bytes times a power of two, ranks 2 times, transfers at
	 * once 1 times a power of two */
	int64_t bytes_max, ranks_max, async_max;
};

/*
 * Bus bandwidth without noise, of a library that takes the faster of a ring, 2 (n - 1) steps of
 * alpha + beta s / n, and a tree, 2 ceil(log2 n) steps of alpha + beta s. Beta comes from the share
 * of the card that each of @async transfers gets.
 */
double made_bandwidth(int64_t machine, double bytes, int64_t ranks, int64_t async);

/* Writes plink-grid(5), with "true" as the last column. */
void made_grid_write(const struct made_grid *g, FILE *out);

#endif

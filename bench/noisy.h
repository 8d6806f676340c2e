/* SPDX-License-Identifier: BSD-3-Clause */
/* noisy.h - for benches: hosts in racks in rows, measured with noise */
#ifndef PLINK_BENCH_NOISY_H
#define PLINK_BENCH_NOISY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct noisy_kind {
	const char *name;
	size_t n, in_rack, racks_in_row; /* hosts, hosts a rack, racks a row */
	double us[3];                    /* within a rack, a row, and beyond */
	double noise;                    /* of the logarithm: lognormal, each pair by itself */
	double outliers;                 /* share of cells that are 1 to 10 times as large */
	double own_us;                   /* each host adds up to this of its own */
	bool directed;                   /* each direction has noise and outliers of its own */
};

/*
 * Hosts are numbered at random, the same for the same seed. Any of these outputs may be NULL:
 * cell[n * n] as measured; truth[n * n] without noise; apart[n * n]: 1 within a rack, 2 within a
 * row, else 3; rack[n]. 0, or -1: no memory.
 */
int noisy_fill(const struct noisy_kind *kind, uint64_t seed, double *cell, double *truth,
	       unsigned char *apart, size_t *rack);

#endif

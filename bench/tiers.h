/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.h - for benches: very many hosts in racks, rows and halls, cell by
 * cell */
#ifndef PLINK_BENCH_TIERS_H
#define PLINK_BENCH_TIERS_H

#include <stddef.h>
#include <stdint.h>

enum { TIERS_MOST = 4 };

struct tiers_kind {
	const char *name;
	size_t n_tiers;
	size_t width[TIERS_MOST - 1]; /* hosts a rack, racks a row, ... */
	double us[TIERS_MOST];        /* within a rack, a row, ..., and beyond */
	double noise;                 /* of the logarithm: lognormal, each pair by itself */
	double outliers;              /* share of pairs that are 1 to 10 times as large */
	double own_us;                /* each host adds up to this of its own */
};

extern const struct tiers_kind tiers_kinds[];
extern const size_t tiers_n_kinds;

/* The kind of that name, or NULL. */
const struct tiers_kind *tiers_find(const char *name);

/* Hosts are numbered at random, the same for the same seed. */
struct tiers {
	const struct tiers_kind *kind;
	size_t n;
	uint64_t seed;
	size_t *place; /* [n] of each host; hosts of one rack have successive
			  places */
	double *own;   /* [n] us */
};

/* 0, or -1: no memory. End it with fini in either case. */
int tiers_init(struct tiers *t, const struct tiers_kind *kind, size_t n, uint64_t seed);
void tiers_fini(struct tiers *t);

/* The time between two hosts in us: without noise, and as measured (the same both ways). */
double tiers_truth(const struct tiers *t, size_t a, size_t b);
double tiers_measured(const struct tiers *t, size_t a, size_t b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* settle.h - decides when a percentile is known well enough */
#ifndef PLINK_PROBES_PAIR_SETTLE_H
#define PLINK_PROBES_PAIR_SETTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How well a percentile must be known: within this share of its value plus this many ns, on either
 * side. */
struct pl_tolerance {
	double share;
	int64_t ns;
};

/*
 * Indices *low < *high into an ascending sample of @n independent values
 * between which the true percentile @p lies with at least @confidence, whatever
 * the distribution: the number of values below it is binomial(n, p).
 * David and Nagaraja, Order Statistics (2003), section 7.1.
 * 0, or -1 where @n is too small for that confidence (p10, 95 %: below 36).
 */
int pl_settle_interval(size_t n, double p, double confidence, size_t *low, size_t *high);

/*
 * Is percentile @p of the ascending sample v[n] settled: do both ends of its 95 % interval lie
 * within @tolerance of it? Asking again and again while a sample grows makes the true confidence
 * somewhat lower.
 */
bool pl_settled(const int64_t *v, size_t n, double p, const struct pl_tolerance *tolerance);

#endif

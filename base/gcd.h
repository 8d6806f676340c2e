/* SPDX-License-Identifier: BSD-3-Clause */
/* gcd.h - the greatest common divisor */
#ifndef PLINK_BASE_GCD_H
#define PLINK_BASE_GCD_H

#include <stdint.h>

/* pl_gcd(0, b) is b. */
static inline uint64_t pl_gcd(uint64_t a, uint64_t b)
{
	while (b > 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif

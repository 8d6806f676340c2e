/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-exact.h - the cheapest ring of a few hosts, by dynamic programming */
#ifndef PLINK_SOLVER_RING_EXACT_H
#define PLINK_SOLVER_RING_EXACT_H

#include "src/err.h"

#include <stddef.h>

#define PL_RING_EXACT_MAX 13 /* hosts: 400 KiB, a few ms */

/*
 * Writes host_at[n], a ring of least cost over c[n * n] (no NaN; directed), host 0
 * first; among equals always the same one. n <= PL_RING_EXACT_MAX.
 * 0, or -1 with @err set when memory runs out.
 * Held and Karp, J. SIAM 10 (1962); Bellman, J. ACM 9 (1962).
 */
int pl_ring_exact(const double *c, size_t n, size_t *host_at,
		  struct pl_err *err);

#endif

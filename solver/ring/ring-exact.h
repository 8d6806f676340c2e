/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-exact.h - the cheapest ring of a few hosts, by dynamic programming */
#ifndef PLINK_SOLVER_RING_RING_EXACT_H
#define PLINK_SOLVER_RING_RING_EXACT_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_RING_EXACT_SOON 13 /* hosts: 200 KiB, a few ms */
#define PL_RING_EXACT_MAX 20  /* hosts: 40 MiB, some seconds */

/*
 * Writes host_at[n], a ring of least cost over c[n * n] (no NaN; directed),
 * host 0 first. Of several cheapest rings it is always the same one. n <=
 * PL_RING_EXACT_MAX. *done is false if *stop came first; host_at is then as it
 * was. 0, or -1 with @err set: out of memory.
 * Held and Karp, J. SIAM 10 (1962); Bellman, J. ACM 9 (1962).
 */
int pl_ring_exact(const double *c, size_t n, const struct pl_stop *stop, size_t *host_at,
		  bool *done, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - what a ring costs: the sum of its hops */
#ifndef PLINK_COSTMODELS_RING_H
#define PLINK_COSTMODELS_RING_H

#include <stddef.h>

/*
 * Cost of the closed ring that visits host_at[0..n_pos): the sum over all
 * positions k of c[host_at[k]][host_at[k + 1 mod n_pos]], in the unit of c.
 * A host may stand at several positions in a row (its ranks); such hops cost
 * what the diagonal says, 0. One position: 0; two: both directions.
 * c[n * n] is row-major, from row to column, used as it is (symmetrise before).
 * NaN where a cell on the way is missing.
 *
 * This is the ring of the PLink thesis, section 5.2.1, C_r = sum c(i, i-1),
 * with each rank sending to the next as the libraries do and not to the one
 * before; the thesis makes c symmetric, where both are the same number.
 */
double pl_cost_ring(const double *c, size_t n, const size_t *host_at,
		    size_t n_pos);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h - the cost of a ring, and costs that are the same both ways */
#ifndef PLINK_COSTMODELS_RING_H
#define PLINK_COSTMODELS_RING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Cost of the closed ring that visits host_at[0..n_pos): the sum over all positions k of
 * c[host_at[k]][host_at[k + 1 mod n_pos]], in the unit of c. A host may stand at several positions
 * in a row (its ranks); hops between them cost the diagonal's 0. The cost of one position is 0,
 * that of two is the hops in both directions. c[n * n] is row-major, from row to column, and used
 * as it is: symmetrise it before if need be. The result is NaN if a cell on the way is missing.
 *
 * This is the ring of the PLink thesis, section 5.2.1, C_r = sum c(i, i-1), except that each rank
 * sends to the next one, as the libraries do, and not to the one before. The thesis makes c
 * symmetric; then both directions cost the same.
 */
double pl_cost_ring(const double *c, size_t n, const size_t *host_at, size_t n_pos);

/* Is c[i][j] == c[j][i] throughout c[n * n]? True for NULL. */
bool pl_costs_symmetric(const double *c, size_t n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* hub-shares.h - how much of the buffer each hub and each rank adds up */
#ifndef PLINK_ENGINE_HUB_SHARES_H
#define PLINK_ENGINE_HUB_SHARES_H

#include "base/err.h"
#include "engine/slices.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Shares of the buffer, of which each of @n_ranks ranks and @n_hubs hubs adds up its own, with what
 * all others contribute, and sends them the result. A rank of share x moves 1 + (n - 2) x buffers
 * each way, a hub n x. Sets share[n_ranks + n_hubs], which sum to 1, so that the slowest card takes
 * as short as it can; rate[n_ranks + n_hubs], above 0, in any unit. Ranks of equal cards with k
 * hubs of the same cards take 2 n (n - 1) / (n^2 + k n - 2 k) buffers. Returns the time of the
 * slowest card, in buffers over rate.
 */
double pl_hub_shares(size_t n_ranks, size_t n_hubs, const double *rate, double *share);

/* Slices for these shares: one for each that is not negligible, or several, as far as slices_max
 * allows, so that all are about as large. *slices must be {0}. 0, or -1 with @err set and *slices
 * {0}: out of memory. */
int pl_hub_slices(struct pl_slices *slices, size_t n_ranks, size_t n_hubs, const double *share,
		  size_t slices_max, struct pl_err *err);

#endif

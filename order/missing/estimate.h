/* SPDX-License-Identifier: BSD-3-Clause */
/* estimate.h - estimates missing cells from those that were measured, and finds hosts that have too
 * few of them */
#ifndef PLINK_ORDER_MISSING_ESTIMATE_H
#define PLINK_ORDER_MISSING_ESTIMATE_H

#include "order/input.h"

/*
 * Replaces every NaN of the costs cell[n * n] by its estimate from the other cells
 * (topology/estimate.h). A search prefers pairs whose estimate is too low; each estimate is
 * therefore multiplied by the ratio of measured to estimated cost that nine of ten measured pairs
 * do not exceed (at least 1). *n_filled: how many cells; *by: the method (static; NULL: none was
 * missing). 0, or -1 with @err set: PL_EPARTIAL if no chain of measured pairs links two of the
 * hosts, PL_ESYSTEM.
 */
int pl_order_estimate(const struct pl_order_input *in, double *cell, size_t *n_filled,
		      const char **by, struct pl_err *err);

/*
 * Sets unreachable[h], [in->hosts.n], for the hosts for which no good estimate can be made: those
 * without a measured pair; those with fewer measured pairs than failed attempts (missing cells that
 * @m has a note on) and fewer than half as many as the median host; and those that no chain of
 * measured pairs between the others links to most hosts. O(n^2). 0, or -1 with @err set.
 */
int pl_order_unreachable(struct pl_order_input *in, const struct pl_matrix *m, bool *unreachable,
			 struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* halve.h - two positions each become one, and two slots */
#ifndef PLINK_SOLVER_ASSIGN_HALVE_H
#define PLINK_SOLVER_ASSIGN_HALVE_H

#include "base/err.h"
#include "solver/assign/flows.h"

#include <stdbool.h>
#include <stddef.h>

/* What positions become. */
struct pl_assign_half {
	struct pl_assign_flows flows;
	uint32_t *pair_of; /* [n_pos] by position: its pair, a position of
			      flows */
};

/*
 * Makes pairs of positions that exchange much with each other, and a problem of pairs, whose hosts
 * have half as many slots. If host_at[n_pos] is not NULL, only positions on one host become a pair.
 * *done is false if the pairs do not fit into the slots; nothing is to be released then. 0, or -1
 * with @err set: out of memory.
 */
int pl_assign_halve(const struct pl_assign_flows *flows, const size_t *host_at,
		    struct pl_assign_half *half, bool *done, struct pl_err *err);
void pl_assign_half_fini(struct pl_assign_half *half);

#endif

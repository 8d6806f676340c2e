/* SPDX-License-Identifier: BSD-3-Clause */
/* anneal.h - simulated annealing as in the thesis: a baseline, and its first
 * stage */
#ifndef PLINK_SOLVER_THESIS_ANNEAL_H
#define PLINK_SOLVER_THESIS_ANNEAL_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} but for the first three. */
struct pl_anneal_options {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	uint64_t moves; /* UINT64_MAX: until stop->deadline_ns */
	uint64_t seed;
	const size_t *slots;  /* [n] positions of each host; NULL: one each */
	const bool *may_lead; /* [n] may stand first; NULL: all */
	const struct pl_stop *stop; /* NULL: never */
};

struct pl_anneal_result {
	double cost_given, cost;
	uint64_t moves;
};

/*
 * PLink thesis, section 5.2.2: from host_at[n], which must be allowed, orders
 * are changed by exchanging a random pair or by shuffling a random part of up
 * to 16 hosts, each with probability 1/2; the cost is evaluated in full each
 * time. A dearer order is taken with probability exp(-difference /
 * temperature). The thesis does not say how it cools: here geometrically, from
 * the mean difference of the first 100 changes to a ten-thousandth of it, by
 * the share of the moves or, where they are not limited, of the time that is
 * used up. host_at becomes the cheapest order met. 0, or -1 with @err set:
 * memory, what pl_objective_create refuses.
 */
int pl_anneal(const struct pl_anneal_options *options, size_t *host_at,
	      struct pl_anneal_result *result, struct pl_err *err);

#endif

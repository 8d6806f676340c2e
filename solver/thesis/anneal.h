/* SPDX-License-Identifier: BSD-3-Clause */
/* anneal.h - simulated annealing as in the thesis (its first stage); a
 * baseline */
#ifndef PLINK_SOLVER_THESIS_ANNEAL_H
#define PLINK_SOLVER_THESIS_ANNEAL_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} except for the first three. */
struct pl_anneal_options {
	const struct pl_shape *shape;
	const struct pl_costs *costs;
	uint64_t moves; /* UINT64_MAX: until stop->deadline_ns */
	uint64_t seed;
	const size_t *slots;        /* [n] positions of each host; NULL: one each */
	const bool *may_lead;       /* [n] may stand first; NULL: all */
	const struct pl_stop *stop; /* NULL: never */
};

struct pl_anneal_result {
	double cost_given, cost;
	uint64_t moves;
};

/*
 * Simulated annealing of the PLink thesis, section 5.2.2. Starts from host_at[n], which must be an
 * allowed order. Each change exchanges a random pair of hosts or shuffles a random part of up to 16
 * hosts, each with probability 1/2; the cost is evaluated in full each time. A dearer order is
 * accepted with probability exp(-difference / temperature). The thesis does not give a cooling
 * schedule. Here the temperature falls geometrically, from the mean difference of the first 100
 * changes to a ten-thousandth of it, by the share of the moves that is used up or, if the number of
 * moves is not limited, of the time. host_at becomes the cheapest order met. 0, or -1 with @err
 * set: out of memory, or pl_objective_create refuses the shape.
 */
int pl_anneal(const struct pl_anneal_options *options, size_t *host_at,
	      struct pl_anneal_result *result, struct pl_err *err);

#endif

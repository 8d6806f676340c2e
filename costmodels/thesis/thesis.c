/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis.c - the algorithms of the PLink thesis */
#include "config.h"

#include "costmodels/thesis/thesis.h"

#include "costmodels/thesis/algorithms.h"

const struct pl_algorithm pl_thesis_algorithms[] = {
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_THESIS,
		.name = "ring",
		.summary =
			"blocks once round to be reduced, once to be gathered",
		.generate = pl_thesis_ring,
		.shape = pl_thesis_ring_shape,
	},
	{.name = NULL},
};

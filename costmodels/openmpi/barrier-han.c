/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-han.c - barrier in two levels: in hosts, between, in hosts */
/*
 *   0 - 1, 2 - 3, 4 - 5    barrier of each host
 *   0 - 2 - 4              of the first rank of each host
 *   0 - 1, 2 - 3, 4 - 5    of each host again
 *
 * Each as the fixed rules of coll/tuned decide.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

static size_t parts(struct pl_openmpi_han_part *part, const struct pl_call *call, uint64_t bytes,
		    bool first)
{
	(void)call;
	(void)bytes;
	(void)first;
	for (size_t i = 0; i < 3; i++)
		part[i].collective = PL_BARRIER;
	part[1].between = true;
	return 3;
}

static const struct pl_openmpi_han han = {
	.collective = PL_BARRIER, .in_segments = false, .parts = parts};

int pl_openmpi_barrier_han(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_openmpi_han_script(s, &han, call, err);
}

int pl_openmpi_barrier_han_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &han, call, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-han.c - all-gather in two levels: in hosts, between, in hosts */
/*
 *   1 -> 0, 3 -> 2, 5 -> 4    blocks gathered by the first rank of each host
 *   0 - 2 - 4                 all-gather of hosts' blocks
 *   0 -> 1, 2 -> 3, 4 -> 5    broadcast of all blocks
 *
 * Each as the fixed rules of coll/tuned decide, and none in segments; the
 * simple one sends the same messages.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

static size_t parts(struct pl_openmpi_han_part *part, const struct pl_call *call, uint64_t bytes,
		    bool first)
{
	(void)first;
	part[0].generate = pl_openmpi_gather;
	part[0].bytes = bytes;
	part[1].collective = PL_ALLGATHER;
	part[1].between = true;
	part[1].bytes = bytes * call->slots;
	part[2].collective = PL_BROADCAST;
	part[2].bytes = bytes * call->n_pos;
	return 3;
}

static const struct pl_openmpi_han han = {
	.collective = PL_ALLGATHER, .in_segments = false, .parts = parts};

int pl_openmpi_allgather_han(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_openmpi_han_script(s, &han, call, err);
}

int pl_openmpi_allgather_han_shape(struct pl_shape *shape, const struct pl_call *call,
				   struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &han, call, err);
}

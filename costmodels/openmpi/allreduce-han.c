/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-han.c - all-reduce in two levels: in hosts, between, in hosts */
/*
 *   segment 0:  within | reduce | broadcast | within
 *   segment 1:           within | reduce    | broadcast | within
 *   segment 2:                    within    | reduce    | broadcast | ...
 *
 * Ranks reduce to the first one of their host; these reduce between hosts to
 * rank 0 and broadcast the sum, by coll/libnbc; then each broadcasts it on its
 * host. The simple one has no segments, and an all-reduce of coll/tuned between
 * hosts. Hosts may have different numbers of ranks.
 *
 * Versions 4.1.0 to 4.1.5 broadcast a last segment that is shorter than the
 * others at full length, beyond the end of the buffer; that is not mirrored.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

static size_t parts(struct pl_openmpi_han_part *part, const struct pl_call *call, uint64_t bytes,
		    bool first)
{
	(void)call;
	(void)first;
	for (size_t i = 0; i < 4; i++)
		part[i].bytes = bytes;
	part[0].collective = PL_REDUCE;
	part[1].between = part[2].between = true;
	part[1].generate = pl_openmpi_nbc_reduce;
	part[2].generate = pl_openmpi_nbc_broadcast;
	part[3].collective = PL_BROADCAST;
	return 4;
}

static size_t simple_parts(struct pl_openmpi_han_part *part, const struct pl_call *call,
			   uint64_t bytes, bool first)
{
	(void)call;
	(void)first;
	for (size_t i = 0; i < 3; i++)
		part[i].bytes = bytes;
	part[0].collective = PL_REDUCE;
	part[1].collective = PL_ALLREDUCE;
	part[1].between = true;
	part[2].collective = PL_BROADCAST;
	return 3;
}

static const struct pl_openmpi_han han = {
	.collective = PL_ALLREDUCE, .in_segments = true, .parts = parts};
static const struct pl_openmpi_han simple = {
	.collective = PL_ALLREDUCE, .in_segments = false, .parts = simple_parts};

int pl_openmpi_allreduce_han(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_openmpi_han_script(s, &han, call, err);
}

int pl_openmpi_allreduce_han_shape(struct pl_shape *shape, const struct pl_call *call,
				   struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &han, call, err);
}

int pl_openmpi_allreduce_han_simple(struct pl_script *s, const struct pl_call *call,
				    struct pl_err *err)
{
	return pl_openmpi_han_script(s, &simple, call, err);
}

int pl_openmpi_allreduce_han_simple_shape(struct pl_shape *shape, const struct pl_call *call,
					  struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &simple, call, err);
}

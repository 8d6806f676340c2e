/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-han.c - broadcast in two levels: between hosts, then within */
/*
 *   segment 0:  between | within
 *   segment 1:            between | within
 *
 * Leaders are the ranks that are on their hosts what the root is on its own.
 * Between them the first segment goes by coll/tuned, the others by coll/libnbc;
 * within hosts all go by coll/tuned. The simple one has no segments.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

static size_t parts(struct pl_openmpi_han_part *part, const struct pl_call *call, uint64_t bytes,
		    bool first)
{
	part[0] = (struct pl_openmpi_han_part){
		.collective = PL_BROADCAST,
		.generate = first ? NULL : pl_openmpi_nbc_broadcast,
		.between = true,
		.root = call->root / call->slots,
		.bytes = bytes,
	};
	part[1] = (struct pl_openmpi_han_part){
		.collective = PL_BROADCAST,
		.generate = NULL,
		.between = false,
		.root = call->root % call->slots,
		.bytes = bytes,
	};
	return 2;
}

static const struct pl_openmpi_han han = {
	.collective = PL_BROADCAST, .in_segments = true, .parts = parts};
static const struct pl_openmpi_han simple = {
	.collective = PL_BROADCAST, .in_segments = false, .parts = parts};

int pl_openmpi_broadcast_han(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_openmpi_han_script(s, &han, call, err);
}

int pl_openmpi_broadcast_han_shape(struct pl_shape *shape, const struct pl_call *call,
				   struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &han, call, err);
}

int pl_openmpi_broadcast_han_simple(struct pl_script *s, const struct pl_call *call,
				    struct pl_err *err)
{
	return pl_openmpi_han_script(s, &simple, call, err);
}

int pl_openmpi_broadcast_han_simple_shape(struct pl_shape *shape, const struct pl_call *call,
					  struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &simple, call, err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-han.c - reduce in two levels: within hosts, then between */
/*
 *   segment 0:  within | between
 *   segment 1:           within | between
 *
 * Leaders are the ranks that are on their hosts what the root is on its own:
 * within hosts ranks reduce to them by coll/tuned, between hosts they reduce to
 * the root by coll/libnbc. The simple one has no segments, and coll/tuned
 * between hosts, too.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/han.h"

static size_t two_parts(struct pl_openmpi_han_part *part, const struct pl_call *call,
			uint64_t bytes, pl_generate_fn *between)
{
	part[0] = (struct pl_openmpi_han_part){
		.collective = PL_REDUCE,
		.generate = NULL,
		.between = false,
		.root = call->root % call->slots,
		.bytes = bytes,
	};
	part[1] = (struct pl_openmpi_han_part){
		.collective = PL_REDUCE,
		.generate = between,
		.between = true,
		.root = call->root / call->slots,
		.bytes = bytes,
	};
	return 2;
}

static size_t parts(struct pl_openmpi_han_part *part, const struct pl_call *call, uint64_t bytes,
		    bool first)
{
	(void)first;
	return two_parts(part, call, bytes, pl_openmpi_nbc_reduce);
}

static size_t simple_parts(struct pl_openmpi_han_part *part, const struct pl_call *call,
			   uint64_t bytes, bool first)
{
	(void)first;
	return two_parts(part, call, bytes, NULL);
}

static const struct pl_openmpi_han han = {
	.collective = PL_REDUCE, .in_segments = true, .parts = parts};
static const struct pl_openmpi_han simple = {
	.collective = PL_REDUCE, .in_segments = false, .parts = simple_parts};

int pl_openmpi_reduce_han(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return pl_openmpi_han_script(s, &han, call, err);
}

int pl_openmpi_reduce_han_shape(struct pl_shape *shape, const struct pl_call *call,
				struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &han, call, err);
}

int pl_openmpi_reduce_han_simple(struct pl_script *s, const struct pl_call *call,
				 struct pl_err *err)
{
	return pl_openmpi_han_script(s, &simple, call, err);
}

int pl_openmpi_reduce_han_simple_shape(struct pl_shape *shape, const struct pl_call *call,
				       struct pl_err *err)
{
	return pl_openmpi_han_shape(shape, &simple, call, err);
}

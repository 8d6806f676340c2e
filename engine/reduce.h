/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.h - sums, products and the like of buffers of numbers */
#ifndef PLINK_ENGINE_REDUCE_H
#define PLINK_ENGINE_REDUCE_H

#include "engine/allreduce.h"

enum pl_reduce_type {
	PL_REDUCE_INT8,
	PL_REDUCE_UINT8,
	PL_REDUCE_INT16,
	PL_REDUCE_UINT16,
	PL_REDUCE_INT32,
	PL_REDUCE_UINT32,
	PL_REDUCE_INT64,
	PL_REDUCE_UINT64,
	PL_REDUCE_HALF,     /* IEEE 754 binary16 */
	PL_REDUCE_BFLOAT16, /* the upper half of a float */
	PL_REDUCE_FLOAT,
	PL_REDUCE_DOUBLE,
	PL_REDUCE_TYPES,
};

enum pl_reduce_op {
	PL_REDUCE_SUM, /* integers wrap around */
	PL_REDUCE_PRODUCT,
	PL_REDUCE_MIN,
	PL_REDUCE_MAX,
	PL_REDUCE_BAND, /* bits of integers */
	PL_REDUCE_BOR,
	PL_REDUCE_BXOR,
	PL_REDUCE_OPS,
};

/*
 * The adder of a type and an operation, for buffers at any address; its add is NULL for bits of
 * floating-point numbers. HALF and BFLOAT16 are computed as float and rounded to nearest, ties to
 * even. Of a NaN and a number, MIN and MAX take what has been there before.
 */
struct pl_adder pl_reduce_adder(enum pl_reduce_type type, enum pl_reduce_op op);

#endif

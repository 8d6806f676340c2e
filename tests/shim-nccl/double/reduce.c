/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - operators of reductions over arrays of any type */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

static double reduced(double a, double b, int op)
{
	switch (op) {
	case ncclProd:
		return a * b;
	case ncclMax:
		return a > b ? a : b;
	case ncclMin:
		return a < b ? a : b;
	default:
		return a + b;
	}
}

static uint64_t reduced_whole(uint64_t a, uint64_t b, int op, bool is_signed)
{
	const bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case ncclProd:
		return a * b;
	case ncclMax:
		return less ? b : a;
	case ncclMin:
		return less ? a : b;
	default:
		return a + b;
	}
}

static bool is_signed(int type)
{
	return type == ncclInt8 || type == ncclInt32 || type == ncclInt64;
}

void reduce_into(void *to, const void *from, size_t count, ncclDataType_t type, int op)
{
	for (size_t i = 0; i < count; i++)
		if (type_is_float(type))
			type_put(to, i, type,
				 reduced(type_get(to, i, type), type_get(from, i, type), op));
		else
			type_put_whole(to, i, type,
				       reduced_whole(type_get_whole(to, i, type),
						     type_get_whole(from, i, type), op,
						     is_signed(type)));
}

void reduce_divide(void *to, size_t count, ncclDataType_t type, int n)
{
	for (size_t i = 0; i < count; i++)
		if (type_is_float(type))
			type_put(to, i, type, type_get(to, i, type) / n);
		else if (is_signed(type))
			type_put_whole(to, i, type,
				       (uint64_t)((int64_t)type_get_whole(to, i, type) / n));
		else
			type_put_whole(to, i, type, type_get_whole(to, i, type) / (uint64_t)n);
}

void reduce_scale(void *to, size_t count, ncclDataType_t type, const void *scalar)
{
	for (size_t i = 0; i < count; i++)
		if (type_is_float(type))
			type_put(to, i, type, type_get(to, i, type) * type_get(scalar, 0, type));
		else
			type_put_whole(to, i, type,
				       type_get_whole(to, i, type) *
					       type_get_whole(scalar, 0, type));
}

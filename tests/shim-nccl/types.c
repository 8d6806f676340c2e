/* SPDX-License-Identifier: BSD-3-Clause */
/* types.c - numbers of NCCL's data types */
#include "config.h"

#include "tests/shim-nccl/types.h"

#include <math.h>
#include <string.h>

/* A floating type: bits of exponent and fraction. */
static const struct {
	const char *name;
	unsigned char size, exponent, fraction;
	bool is_signed;
} types[N_TYPES] = {
	[ncclInt8] = {"int8", 1, 0, 0, true},
	[ncclUint8] = {"uint8", 1, 0, 0, false},
	[ncclInt32] = {"int32", 4, 0, 0, true},
	[ncclUint32] = {"uint32", 4, 0, 0, false},
	[ncclInt64] = {"int64", 8, 0, 0, true},
	[ncclUint64] = {"uint64", 8, 0, 0, false},
	[ncclFloat16] = {"half", 2, 5, 10, true},
	[ncclFloat32] = {"float", 4, 8, 23, true},
	[ncclFloat64] = {"double", 8, 11, 52, true},
	[ncclBfloat16] = {"bfloat16", 2, 8, 7, true},
	[ncclFloat8e4m3] = {"fp8_e4m3", 1, 4, 3, true},
	[ncclFloat8e5m2] = {"fp8_e5m2", 1, 5, 2, true},
};

size_t type_size(int type)
{
	return types[type].size;
}

bool type_is_float(int type)
{
	return types[type].exponent > 0;
}

const char *type_name(int type)
{
	return types[type].name;
}

uint64_t type_get_whole(const void *data, size_t i, int type)
{
	const size_t size = types[type].size;
	uint64_t value = 0;

	memcpy(&value, (const char *)data + i * size, size);              /* little-endian */
	if (types[type].is_signed && size < 8 && value >> (8 * size - 1)) /* sign */
		value |= UINT64_MAX << (8 * size);
	return value;
}

void type_put_whole(void *data, size_t i, int type, uint64_t value)
{
	memcpy((char *)data + i * types[type].size, &value, types[type].size);
}

/* Of the formats with infinities all exponent bits set are those and NaNs; of e4m3 only the topmost
 * fraction is, a NaN. */
double type_get(const void *data, size_t i, int type)
{
	const int n_frac = types[type].fraction, n_exp = types[type].exponent;
	const int bias = (1 << (n_exp - 1)) - 1, top = (1 << n_exp) - 1;
	const uint64_t bits = type_get_whole(data, i, type);
	const uint64_t fraction = bits & ((UINT64_C(1) << n_frac) - 1);
	const int exponent = (int)(bits >> n_frac) & top;
	const bool minus = bits >> (n_frac + n_exp) & 1;
	double value;

	if (type == ncclFloat8e4m3 ? (exponent == top && fraction == 7)
				   : (exponent == top && fraction))
		return (double)NAN;
	if (exponent == top && type != ncclFloat8e4m3)
		value = (double)INFINITY;
	else if (exponent)
		value = ldexp((double)(fraction | UINT64_C(1) << n_frac), exponent - bias - n_frac);
	else
		value = ldexp((double)fraction, 1 - bias - n_frac);
	return minus ? -value : value;
}

/* The largest finite number of a type, as exponent and fraction in one. */
static uint64_t largest(int type)
{
	const int n_frac = types[type].fraction, n_exp = types[type].exponent;

	if (type == ncclFloat8e4m3)
		return 0x7e;
	return (((UINT64_C(1) << n_exp) - 1) << n_frac) - 1;
}

void type_put(void *data, size_t i, int type, double value)
{
	const int n_frac = types[type].fraction, n_exp = types[type].exponent;
	const int bias = (1 << (n_exp - 1)) - 1;
	const double size = fabs(value);
	uint64_t bits;
	int exponent;

	if (isnan(value)) {
		bits = (UINT64_C(1) << (n_exp + n_frac)) - 1;
	} else if (isinf(value)) {
		bits = largest(type) + 1;
	} else {
		frexp(size, &exponent);
		exponent--;
		if (value == 0 || exponent < 1 - bias)
			exponent = 1 - bias;
		/* in units of the last place; a carry goes into the exponent */
		bits = (uint64_t)nearbyint(ldexp(size, n_frac - exponent));
		bits += (uint64_t)(exponent + bias - 1) << n_frac;
		if (bits > largest(type))
			bits = largest(type) + 1;
	}
	if (signbit(value))
		bits |= UINT64_C(1) << (n_frac + n_exp);
	type_put_whole(data, i, type, bits);
}

void type_put_any(void *data, size_t i, int type, int64_t value)
{
	if (type_is_float(type))
		type_put(data, i, type, (double)value);
	else
		type_put_whole(data, i, type, (uint64_t)value);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-reduce.c - reductions of every type, against one number at a time */
#include "config.h"

#include "engine/reduce.h"
#include "tests/tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N 1003

/* What the operations give for one number of each type. */
static double of_double(enum pl_reduce_op op, double a, double b)
{
	switch (op) {
	case PL_REDUCE_SUM:
		return a + b;
	case PL_REDUCE_PRODUCT:
		return a * b;
	case PL_REDUCE_MIN:
		return b < a ? b : a;
	default:
		return b > a ? b : a;
	}
}

/* As many of the low bits as the type has count; the order is that of @is_less, which tells signed
 * from unsigned. */
static uint64_t of_integer(enum pl_reduce_op op, uint64_t a, uint64_t b, bool b_is_less)
{
	switch (op) {
	case PL_REDUCE_SUM:
		return a + b;
	case PL_REDUCE_PRODUCT:
		return a * b;
	case PL_REDUCE_MIN:
		return b_is_less ? b : a;
	case PL_REDUCE_MAX:
		return b_is_less ? a : b;
	case PL_REDUCE_BAND:
		return a & b;
	case PL_REDUCE_BOR:
		return a | b;
	default:
		return a ^ b;
	}
}

/* A number of @bytes bytes at any address. */
static uint64_t get(const unsigned char *from, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, from, bytes);
	return value;
}

static bool is_less(uint64_t b, uint64_t a, size_t bytes, bool is_signed)
{
	const unsigned int shift = 64 - 8 * (unsigned int)bytes;

	/* the type's sign becomes the sign of 64 bits */
	return is_signed ? (int64_t)(b << shift) < (int64_t)(a << shift) : b < a;
}

static void test_integers(enum pl_reduce_type type, enum pl_reduce_op op)
{
	const struct pl_adder adder = pl_reduce_adder(type, op);
	const size_t bytes = adder.element_bytes;
	const bool is_signed = type % 2 == 0;
	unsigned char sum[8 * N + 1], more[8 * N + 1], was[8 * N + 1];
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(sum); i++) {
		was[i] = sum[i] = (unsigned char)rand();
		more[i] = (unsigned char)rand();
	}
	adder.add(sum + 1, more + 1, N, adder.with);
	for (size_t i = 0; i < N; i++) {
		const uint64_t a = get(was + 1 + i * bytes, bytes);
		const uint64_t b = get(more + 1 + i * bytes, bytes);
		const uint64_t want = of_integer(op, a, b, is_less(b, a, bytes, is_signed));

		wrong +=
			get(sum + 1 + i * bytes, bytes) != get((const unsigned char *)&want, bytes);
	}
	ok(wrong == 0 && sum[0] == was[0] &&
		   memcmp(sum + 1 + N * bytes, was + 1 + N * bytes, sizeof(sum) - 1 - N * bytes) ==
			   0,
	   "type %d, operation %d: %d numbers, and nothing beside them", type, op, N);
}

/* Formats of 16 bits, decoded by the book: @bits of exponent. */
static double decode(uint16_t code, int exponent_bits)
{
	const int mantissa_bits = 15 - exponent_bits;
	const int bias = (1 << (exponent_bits - 1)) - 1;
	const int exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1);
	const int mantissa = code & ((1 << mantissa_bits) - 1);
	const double sign = code & 0x8000 ? -1 : 1;

	if (exponent == (1 << exponent_bits) - 1)
		return mantissa ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
	return sign * ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

/* Is @code the nearest to @value, and even if two are? */
static bool is_nearest(uint16_t code, double value, int exponent_bits)
{
	const double got = decode(code, exponent_bits);
	/* what would be next, were there no end */
	const double most = decode(
		(uint16_t)(((1 << exponent_bits) - 1) << (15 - exponent_bits)) - 1, exponent_bits);
	const double beyond =
		most +
		(most - decode((uint16_t)(((1 << exponent_bits) - 1) << (15 - exponent_bits)) - 2,
			       exponent_bits)) /
			2;
	double below, above;

	if (isnan(value) || isnan(got))
		return isnan(value) && isnan(got);
	if (isinf(got))
		return fabs(value) >= beyond && (value < 0) == (got < 0);
	below = fabs(value - decode((uint16_t)(code - 1), exponent_bits));
	above = fabs(value - decode((uint16_t)(code + 1), exponent_bits));
	if (code % 2 == 0)
		return !(fabs(value - got) > below) && !(fabs(value - got) > above) &&
		       fabs(value) < beyond;
	return !(fabs(value - got) >= below) && !(fabs(value - got) >= above);
}

/* Every code with another one that is far from it or near. */
static void test_short_floats(enum pl_reduce_type type, int exponent_bits, enum pl_reduce_op op)
{
	const struct pl_adder adder = pl_reduce_adder(type, op);
	static uint16_t sum[65536], more[65536];
	size_t wrong = 0;

	for (unsigned int step = 1; step < 65536; step = step * 7 + 2) {
		for (unsigned int i = 0; i < 65536; i++) {
			sum[i] = (uint16_t)i;
			more[i] = (uint16_t)(i * step + (i >> 8));
		}
		adder.add(sum, more, 65536, adder.with);
		for (unsigned int i = 0; i < 65536; i++) {
			const uint16_t m = (uint16_t)(i * step + (i >> 8));
			/* rounded as the sum of two floats is */
			const float want = (float)of_double(op, decode((uint16_t)i, exponent_bits),
							    decode(m, exponent_bits));

			wrong += !is_nearest(sum[i], want, exponent_bits);
		}
	}
	ok(wrong == 0, "type %d, operation %d: rounded to the nearest (%zu)", type, op, wrong);
}

static void test_floats(enum pl_reduce_op op)
{
	const struct pl_adder f = pl_reduce_adder(PL_REDUCE_FLOAT, op);
	const struct pl_adder d = pl_reduce_adder(PL_REDUCE_DOUBLE, op);
	unsigned char memory[N * sizeof(float) + 1];
	float more[N], got;
	double sum[N], add[N];
	size_t wrong = 0;

	for (size_t i = 0; i < N; i++) {
		const float a = (float)(i * 0.37 - 100);

		memcpy(memory + 1 + i * sizeof(a), &a, sizeof(a));
		sum[i] = a * 1.1;
		more[i] = (float)(rand() % 1000) * 0.013F;
		add[i] = more[i] * 0.7;
	}
	f.add(memory + 1, more, N, f.with);
	d.add(sum, add, N, d.with);
	for (size_t i = 0; i < N; i++) {
		const float a = (float)(i * 0.37 - 100);

		memcpy(&got, memory + 1 + i * sizeof(a), sizeof(a));
		wrong += got != (float)of_double(op, a, more[i]);
		wrong += sum[i] != of_double(op, a * 1.1, add[i]);
	}
	ok(wrong == 0, "float and double, operation %d", op);
}

static void test_nan(void)
{
	const struct pl_adder least = pl_reduce_adder(PL_REDUCE_DOUBLE, PL_REDUCE_MIN);
	double sum[2] = {NAN, 3}, more[2] = {3, NAN};

	least.add(sum, more, 2, least.with);
	ok(isnan(sum[0]) && sum[1] == 3, "of a NaN and a number, the first");
}

int main(void)
{
	for (int type = 0; type < PL_REDUCE_HALF; type++)
		for (int op = 0; op < PL_REDUCE_OPS; op++)
			test_integers(type, op);
	for (int op = 0; op <= PL_REDUCE_MAX; op++) {
		test_short_floats(PL_REDUCE_HALF, 5, op);
		test_short_floats(PL_REDUCE_BFLOAT16, 8, op);
		test_floats(op);
	}
	test_nan();
	for (int type = PL_REDUCE_HALF; type < PL_REDUCE_TYPES; type++)
		ok(!pl_reduce_adder(type, PL_REDUCE_BAND).add &&
			   !pl_reduce_adder(type, PL_REDUCE_BXOR).add,
		   "type %d has no bits to combine", type);
	return done_testing();
}

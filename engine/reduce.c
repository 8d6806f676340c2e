/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce.c - sums, products and the like of buffers of numbers */
/*
 * A chunk stands at any address, hence the types without alignment. "omp simd" lets the compiler
 * vectorise the loops at any level of optimisation; it starts no threads.
 */
#include "config.h"

#include "engine/reduce.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __clang__ /* with sanitizers it vectorises nothing, and says so */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#define ANYWHERE __attribute__((aligned(1)))

typedef int8_t int8;
typedef uint8_t uint8;
typedef int16_t ANYWHERE int16;
typedef uint16_t ANYWHERE uint16, half, bfloat16;
typedef int32_t ANYWHERE int32;
typedef uint32_t ANYWHERE uint32;
typedef int64_t ANYWHERE int64;
typedef uint64_t ANYWHERE uint64;
typedef float ANYWHERE float32;
typedef double ANYWHERE float64;

static inline float float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline uint32_t bits_of(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* Without a branch, with which loops would not be vectorised. */
static inline uint32_t choose(bool first, uint32_t a, uint32_t b)
{
	return b ^ ((a ^ b) & -(uint32_t)first);
}

/* The product moves the exponent from a half's bias to a float's, and makes subnormal halves normal
 * floats. */
static inline float from_half(uint16_t h)
{
	const float f = float_of((h & 0x7fffU) << 13) * 0x1p112F;
	const uint32_t infinite_or_nan = choose(f >= 0x1p16F, 0x7f800000U, 0);

	return float_of(bits_of(f) | infinite_or_nan | (h & 0x8000U) << 16);
}

/* A subnormal half's bits are the last ones of its sum with 1/2, which the processor rounds. */
static inline uint16_t to_half(float f)
{
	const uint32_t sign = bits_of(f) >> 16 & 0x8000U;
	const uint32_t u = bits_of(f) & 0x7fffffffU;
	const uint32_t subnormal = bits_of(float_of(u) + 0.5F) - bits_of(0.5F);
	const uint32_t normal = (u - (112U << 23) + 0xfffU + (u >> 13 & 1U)) >> 13;
	const uint32_t finite = choose(u < (113U << 23), subnormal, normal);
	const uint32_t other = choose(u > 0x7f800000U, 0x7e00U, 0x7c00U);

	return (uint16_t)(sign | choose(u < (143U << 23), finite, other));
}

static inline float from_bfloat16(uint16_t b)
{
	return float_of((uint32_t)b << 16);
}

static inline uint16_t to_bfloat16(float f)
{
	const uint32_t u = bits_of(f);
	const uint32_t rounded = (u + 0x7fffU + (u >> 16 & 1U)) >> 16;

	return (uint16_t)choose((u & 0x7fffffffU) > 0x7f800000U, 0x7fc0U, rounded);
}

/* The function NAME_OP for buffers of TYPE: from() and to() lead to the numbers that are computed
 * with, of type AS, and back. */
#define REDUCE(name, op, type, as, from, to, result)                                               \
	static void name##_##op(void *sum, const void *more, size_t n, void *with)                 \
	{                                                                                          \
		type *s = sum;                                                                     \
		const type *m = more;                                                              \
                                                                                                   \
		(void)with;                                                                        \
		_Pragma("omp simd") for (size_t i = 0; i < n; i++)                                 \
		{                                                                                  \
			const as a = (as)from(s[i]), b = (as)from(m[i]);                           \
                                                                                                   \
			s[i] = (type)to(result);                                                   \
		}                                                                                  \
	}
#define SAME(x) (x)

#define REDUCE_NUMBERS(name, type, wraps, as, from, to)                                            \
	REDUCE(name, sum, type, wraps, from, to, (a) + (b))                                        \
	REDUCE(name, product, type, wraps, from, to, (a) * (b))                                    \
	REDUCE(name, min, type, as, from, to, b < a ? b : a)                                       \
	REDUCE(name, max, type, as, from, to, b > a ? b : a)

/* Sums and products are those of an unsigned type, which may wrap around. */
#define REDUCE_INTEGERS(name, wraps)                                                               \
	REDUCE_NUMBERS(name, name, wraps, name##_t, SAME, SAME)                                    \
	REDUCE(name, band, name, wraps, SAME, SAME, (a) & (b))                                     \
	REDUCE(name, bor, name, wraps, SAME, SAME, (a) | (b))                                      \
	REDUCE(name, bxor, name, wraps, SAME, SAME, (a) ^ (b))

REDUCE_INTEGERS(int8, uint32_t)
REDUCE_INTEGERS(uint8, uint32_t)
REDUCE_INTEGERS(int16, uint32_t)
REDUCE_INTEGERS(uint16, uint32_t)
REDUCE_INTEGERS(int32, uint32_t)
REDUCE_INTEGERS(uint32, uint32_t)
REDUCE_INTEGERS(int64, uint64_t)
REDUCE_INTEGERS(uint64, uint64_t)
REDUCE_NUMBERS(half, half, float, float, from_half, to_half)
REDUCE_NUMBERS(bfloat16, bfloat16, float, float, from_bfloat16, to_bfloat16)
REDUCE_NUMBERS(float32, float32, float, float, SAME, SAME)
REDUCE_NUMBERS(float64, float64, double, double, SAME, SAME)

#define NUMBERS(name)                                                                              \
	[PL_REDUCE_SUM] = name##_sum, [PL_REDUCE_PRODUCT] = name##_product,                        \
	[PL_REDUCE_MIN] = name##_min, [PL_REDUCE_MAX] = name##_max
#define INTEGERS(name)                                                                             \
	NUMBERS(name), [PL_REDUCE_BAND] = name##_band, [PL_REDUCE_BOR] = name##_bor,               \
		       [PL_REDUCE_BXOR] = name##_bxor

static const struct {
	size_t element_bytes;
	void (*add[PL_REDUCE_OPS])(void *, const void *, size_t, void *);
} row[PL_REDUCE_TYPES] = {
	[PL_REDUCE_INT8] = {1, {INTEGERS(int8)}},
	[PL_REDUCE_UINT8] = {1, {INTEGERS(uint8)}},
	[PL_REDUCE_INT16] = {2, {INTEGERS(int16)}},
	[PL_REDUCE_UINT16] = {2, {INTEGERS(uint16)}},
	[PL_REDUCE_INT32] = {4, {INTEGERS(int32)}},
	[PL_REDUCE_UINT32] = {4, {INTEGERS(uint32)}},
	[PL_REDUCE_INT64] = {8, {INTEGERS(int64)}},
	[PL_REDUCE_UINT64] = {8, {INTEGERS(uint64)}},
	[PL_REDUCE_HALF] = {2, {NUMBERS(half)}},
	[PL_REDUCE_BFLOAT16] = {2, {NUMBERS(bfloat16)}},
	[PL_REDUCE_FLOAT] = {4, {NUMBERS(float32)}},
	[PL_REDUCE_DOUBLE] = {8, {NUMBERS(float64)}},
};

struct pl_adder pl_reduce_adder(enum pl_reduce_type type, enum pl_reduce_op op)
{
	return (struct pl_adder){.add = row[type].add[op],
				 .element_bytes = row[type].element_bytes};
}

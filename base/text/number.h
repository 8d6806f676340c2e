/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - numbers in text: read strictly, written so that they read back the same */
/* Decimal numbers have a point in every locale. */
#ifndef PLINK_BASE_TEXT_NUMBER_H
#define PLINK_BASE_TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* All of @s (@len bytes) must be a decimal integer in [min, max], without blanks or "+". 0 and
 * *out, or -1 with *out unchanged. */
int pl_int_parse(const char *s, size_t len, int64_t min, int64_t max, int64_t *out);

/* "LO-HI", or one number for both, with min <= LO <= HI <= max. 0, or -1 with both unchanged. */
int pl_int_parse_range(const char *s, int64_t min, int64_t max, int64_t *low, int64_t *high);

/* Like pl_int_parse, for numbers that may exceed an int64_t: digits only, in [0, max]. */
int pl_uint_parse(const char *s, size_t len, uint64_t max, uint64_t *out);

/*
 * All of @s must be a decimal number (123, -1.5, 2e3) or the word "nan". Infinities, hexadecimal
 * forms and numbers too large for a double are refused. 0 and *out, or -1 with *out unchanged.
 */
int pl_double_parse(const char *s, size_t len, double *out);

#define PL_DOUBLE_CHARS 32

/* The shortest decimal form that reads back as the same double; "nan" for any NaN. Returns @buf. */
const char *pl_double_format(char buf[PL_DOUBLE_CHARS], double value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - numbers in text: read strictly, written so that they read back */
/* Decimals have a point, whatever the locale. */
#ifndef PLINK_BASE_TEXT_NUMBER_H
#define PLINK_BASE_TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* The whole of @s (@len bytes) must be a decimal integer in [min, max], with no
 * blanks and no "+". 0 and *out, or -1 with *out as it was. */
int pl_int_parse(const char *s, size_t len, int64_t min, int64_t max,
		 int64_t *out);

/* "LO-HI", or one number for both, with min <= LO <= HI <= max. 0, or -1 with
 * both as they were. */
int pl_int_parse_range(const char *s, int64_t min, int64_t max, int64_t *low,
		       int64_t *high);

/* The same as pl_int_parse for what an int64_t cannot hold: digits only, in [0,
 * max]. */
int pl_uint_parse(const char *s, size_t len, uint64_t max, uint64_t *out);

/*
 * The whole of @s must be a decimal number (123, -1.5, 2e3) or the word "nan".
 * Infinities, hexadecimal forms and numbers too large for a double are refused.
 * 0 and *out, or -1 with *out as it was.
 */
int pl_double_parse(const char *s, size_t len, double *out);

#define PL_DOUBLE_CHARS 32

/* The shortest decimal form that reads back as the same double; "nan" for any
 * NaN. Returns @buf. */
const char *pl_double_format(char buf[PL_DOUBLE_CHARS], double value);

#endif

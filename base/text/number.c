/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers in text: read strictly, written so that they read back */
#include "config.h"

#include "base/text/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest number worth reading: enough for every double in full. */
#define NUMBER_CHARS 400

static int copy_out(char buf[NUMBER_CHARS], const char *s, size_t len)
{
	if (len == 0 || len >= NUMBER_CHARS)
		return -1;
	memcpy(buf, s, len);
	buf[len] = '\0';
	return 0;
}

int pl_int_parse(const char *s, size_t len, int64_t min, int64_t max, int64_t *out)
{
	char buf[NUMBER_CHARS];
	char *end;
	long long value;

	if (copy_out(buf, s, len) || strspn(buf, "-0123456789") != len)
		return -1;
	errno = 0;
	value = strtoll(buf, &end, 10);
	if (errno || end != buf + len || value < min || value > max)
		return -1;
	*out = value;
	return 0;
}

int pl_int_parse_range(const char *s, int64_t min, int64_t max, int64_t *low, int64_t *high)
{
	const char *dash = strchr(s, '-');
	const size_t len = dash ? (size_t)(dash - s) : strlen(s);
	int64_t lo, hi;

	if (pl_int_parse(s, len, min, max, &lo))
		return -1;
	hi = lo;
	if (dash && pl_int_parse(dash + 1, strlen(dash + 1), lo, max, &hi))
		return -1;
	*low = lo;
	*high = hi;
	return 0;
}

int pl_uint_parse(const char *s, size_t len, uint64_t max, uint64_t *out)
{
	char buf[NUMBER_CHARS];
	unsigned long long value;

	if (copy_out(buf, s, len) || strspn(buf, "0123456789") != len)
		return -1;
	errno = 0;
	value = strtoull(buf, NULL, 10);
	if (errno || value > max)
		return -1;
	*out = value;
	return 0;
}

/*
 * Numbers look alike in every locale: a program that a preload library reads a plan in may have
 * asked for decimal commas. Should the C locale be refused, the program's own one is used. Both
 * calls are cheap: libc has this locale at hand.
 */
static double read_double(const char *s, char **end)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t was = c ? uselocale(c) : (locale_t)0;
	const double value = strtod(s, end);

	if (c) {
		uselocale(was);
		freelocale(c);
	}
	return value;
}

static void print_double(char buf[PL_DOUBLE_CHARS], int digits, double value)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t was = c ? uselocale(c) : (locale_t)0;

	snprintf(buf, PL_DOUBLE_CHARS, "%.*g", digits, value);
	if (c) {
		uselocale(was);
		freelocale(c);
	}
}

/*
 * Most numbers are short: "101230", "0.175". Up to 15 digits and powers of ten up to 15 are exact
 * doubles, so that one division gives the double nearest to the quotient: the bits strtod gives, in
 * a fraction of its time. Clinger, "How to read floating point numbers accurately", PLDI 1990. It
 * takes arithmetic without excess precision.
 */
#define SHORT_DIGITS 15

static const double powers_of_ten[SHORT_DIGITS + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
};

static bool parse_short(const char *s, size_t len, double *out)
{
	uint64_t value = 0;
	size_t digits = 0, decimals = 0;
	bool point = false;

	if (FLT_EVAL_METHOD != 0 || len > SHORT_DIGITS + 1)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (s[i] < '0' || s[i] > '9')
			return false;
		value = 10 * value + (uint64_t)(s[i] - '0');
		digits++;
		decimals += point;
	}
	if (digits == 0 || digits > SHORT_DIGITS)
		return false;
	*out = (double)value / powers_of_ten[decimals];
	return true;
}

int pl_double_parse(const char *s, size_t len, double *out)
{
	char buf[NUMBER_CHARS];
	char *end;
	double value;

	if (parse_short(s, len, out))
		return 0;
	if (copy_out(buf, s, len))
		return -1;
	if (strcmp(buf, "nan") == 0) {
		*out = NAN;
		return 0;
	}
	if (strspn(buf, "+-.0123456789eE") != len)
		return -1;
	value = read_double(buf, &end);
	if (end != buf + len || !isfinite(value))
		return -1;
	*out = value;
	return 0;
}

/* @value / 10^decimals, without a loss. */
static void print_decimal(char buf[PL_DOUBLE_CHARS], uint64_t value, size_t decimals)
{
	char digits[PL_DOUBLE_CHARS];
	char *at = digits + sizeof(digits);
	size_t n = 0;

	*--at = '\0';
	while (value > 0 || n <= decimals) {
		*--at = (char)('0' + value % 10);
		value /= 10;
		if (++n == decimals)
			*--at = '.';
	}
	memcpy(buf, at, (size_t)(digits + sizeof(digits) - at));
}

/* The same for writing: is it a number of few digits, @decimals of them after the point? Of two
 * such numbers no two are one double, so that this is the form with the fewest digits. */
static bool format_short(char buf[PL_DOUBLE_CHARS], double value)
{
	if (FLT_EVAL_METHOD != 0 || signbit(value) ||
	    (value != 0 && !(value >= 1e-4 && value < 1e15)))
		return false;
	for (size_t decimals = 0; decimals <= 6; decimals++) {
		const double scaled = value * powers_of_ten[decimals] + 0.5;

		if (scaled >= 1e15)
			return false;
		if ((double)(uint64_t)scaled / powers_of_ten[decimals] != value)
			continue;
		print_decimal(buf, (uint64_t)scaled, decimals);
		return true;
	}
	return false;
}

const char *pl_double_format(char buf[PL_DOUBLE_CHARS], double value)
{
	if (isnan(value))
		return strcpy(buf, "nan");
	if (format_short(buf, value))
		return buf;
	for (int digits = 15; digits <= 17; digits++) {
		print_double(buf, digits, value);
		if (read_double(buf, NULL) == value)
			break;
	}
	return buf;
}

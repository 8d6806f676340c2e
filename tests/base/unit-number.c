/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-number.c - numbers in text: strict reading, bit-equal round trips */
#include "config.h"

#include "base/rng.h"
#include "base/text/number.h"
#include "tests/tap.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static int parse_double(const char *s, double *x)
{
	return pl_double_parse(s, strlen(s), x);
}

static void test_int(void)
{
	static const char *const bad[] = {"",    "-",      "--1",  "+1",
					  " 1",  "1 ",     "1x",   "0x10",
					  "1.0", "1e3",    "1-2",  "99999999999999999999",
					  "nan", "\x00b9", "1_000"};
	int64_t x = 42;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(pl_int_parse(bad[i], strlen(bad[i]), INT64_MIN, INT64_MAX, &x) == -1 && x == 42,
		   "no integer: \"%s\"", bad[i]);
	ok(pl_int_parse("11", 2, 0, 10, &x) == -1 && pl_int_parse("-1", 2, 0, 10, &x) == -1 &&
		   x == 42,
	   "out of range");
	ok(pl_int_parse("10", 2, 0, 10, &x) == 0 && x == 10, "the largest");
	ok(pl_int_parse("0099", 3, 0, 10, &x) == 0 && x == 9, "@len bytes, no more");
	ok(pl_int_parse("-9223372036854775808", 20, INT64_MIN, 0, &x) == 0 && x == INT64_MIN,
	   "the least of all");
	ok(pl_int_parse("9223372036854775807", 19, 0, INT64_MAX, &x) == 0 && x == INT64_MAX,
	   "the largest of all");
	ok(pl_int_parse("9223372036854775808", 19, 0, INT64_MAX, &x) == -1, "one more");
}

static void test_uint(void)
{
	uint64_t x = 42;

	ok(pl_uint_parse("", 0, 9, &x) && pl_uint_parse("-1", 2, 9, &x) &&
		   pl_uint_parse("+1", 2, 9, &x) && pl_uint_parse("1x", 2, 9, &x) &&
		   pl_uint_parse("10", 2, 9, &x) &&
		   pl_uint_parse("18446744073709551616", 20, UINT64_MAX, &x) && x == 42,
	   "no unsigned integers");
	ok(pl_uint_parse("18446744073709551615", 20, UINT64_MAX, &x) == 0 && x == UINT64_MAX,
	   "the largest");
}

static void test_double(void)
{
	static const char *const bad[] = {"",    "-",     "e5",  "1e",   "1e999", "-1e999",
					  "inf", "-inf",  "NaN", "nan1", "-nan",  "0x1p3",
					  "1,5", "1.5.2", " 1",  "1 ",   "1e5x",  "infinity"};
	double x = 42;
	char longest[500];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(parse_double(bad[i], &x) == -1 && x == 42, "no number: \"%s\"", bad[i]);
	memset(longest, '1', sizeof(longest));
	ok(pl_double_parse(longest, sizeof(longest), &x) == -1, "500 digits are refused");
	ok(parse_double("nan", &x) == 0 && isnan(x), "missing");
	ok(parse_double("-1.5", &x) == 0 && x == -1.5, "-1.5");
	ok(parse_double("2e3", &x) == 0 && x == 2000, "2e3");
	ok(parse_double("1e-320", &x) == 0 && x > 0 && x < DBL_MIN, "a denormal number");
	ok(pl_double_parse("1.25", 3, &x) == 0 && x == 1.2, "@len bytes, no more");
}

static void test_format(void)
{
	char buf[PL_DOUBLE_CHARS];

	is_str(pl_double_format(buf, 0.1), "0.1", "the shortest form");
	is_str(pl_double_format(buf, 101230), "101230", "an integer");
	is_str(pl_double_format(buf, -0.0), "-0", "minus zero");
	is_str(pl_double_format(buf, NAN), "nan", "missing");
	is_str(pl_double_format(buf, -NAN), "nan", "missing, signed");
	is_str(pl_double_format(buf, 1.0 / 3), "0.3333333333333333", "a third");
}

static bool comes_back(double x)
{
	char buf[PL_DOUBLE_CHARS];
	double y;

	return parse_double(pl_double_format(buf, x), &y) == 0 && memcmp(&x, &y, sizeof(x)) == 0;
}

static void test_random(uint64_t seed)
{
	static const double special[] = {0.0,     -0.0,         DBL_MAX,    -DBL_MAX,
					 DBL_MIN, DBL_TRUE_MIN, DBL_EPSILON};
	struct pl_rng rng;
	int wrong = 0;

	printf("# seed %" PRIu64 "\n", seed);
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		wrong += !comes_back(special[i]);
	is_int(wrong, 0, "extremes come back");
	for (int i = 0; i < 100000; i++) {
		const uint64_t bits = pl_rng_u64(&rng);
		double x;

		memcpy(&x, &bits, sizeof(x));
		if (isfinite(x))
			wrong += !comes_back(x);
	}
	is_int(wrong, 0, "random doubles come back bit for bit");
}

/* Decimals of up to 17 digits: what libc's own reading gives, and back. */
static void test_random_decimals(uint64_t seed)
{
	struct pl_rng rng;
	int wrong = 0, longer = 0;

	pl_rng_init(&rng, seed, 1);
	for (int i = 0; i < 100000; i++) {
		char s[40], buf[PL_DOUBLE_CHARS];
		uint64_t unit = 1;
		double x = NAN;
		int decimals;

		for (uint64_t k = pl_rng_below(&rng, 18); k > 0; k--)
			unit *= 10;
		decimals = (int)pl_rng_below(&rng, 18);
		snprintf(s, sizeof(s), "%" PRIu64 ".%0*" PRIu64, pl_rng_below(&rng, unit),
			 decimals + 1, pl_rng_below(&rng, 10));
		wrong += parse_double(s, &x) || x != strtod(s, NULL) || !comes_back(x);
		longer += strlen(s) <= 16 && strlen(pl_double_format(buf, x)) > strlen(s);
	}
	is_int(wrong, 0, "random decimals are read as libc reads them");
	is_int(longer, 0, "and those of 15 digits are not written longer");
}

/* A locale with decimal commas is made on the spot: few machines have one. */
static bool use_commas(const char *folder)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "localedef -i de_DE -f UTF-8 ./%s/xx_XX.UTF-8 >%s/log 2>&1", folder, folder);
	if (system(command) || setenv("LOCPATH", folder, 1))
		return false;
	return setlocale(LC_ALL, "xx_XX.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

static void test_locale(void)
{
	char folder[] = "unit-number.XXXXXX", command[100];
	char buf[PL_DOUBLE_CHARS];
	double x = 0;

	if (!mkdtemp(folder)) {
		ok(false, "a folder to make a locale in");
		return;
	}
	if (!use_commas(folder)) {
		ok(true, "decimal commas # SKIP no localedef with de_DE");
	} else {
		snprintf(buf, sizeof(buf), "%.1f", 0.5);
		is_str(buf, "0,5", "this locale has decimal commas");
		is_str(pl_double_format(buf, 1.0 / 3), "0.3333333333333333",
		       "written with a point");
		ok(parse_double("0.3333333333333333", &x) == 0 && x == 1.0 / 3,
		   "read with a point");
		ok(parse_double("1.5e10", &x) == 0 && x == 1.5e10, "an exponent");
		ok(parse_double("0,3333333333333333", &x) == -1, "a comma is refused");
		snprintf(buf, sizeof(buf), "%.1f", 0.5);
		is_str(buf, "0,5", "and the program has its locale back");
	}
	setlocale(LC_ALL, "C");
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		ok(false, "%s", command);
}

static void test_range(void)
{
	static const char *const bad[] = {"",    "-",   "1-",    "-3",    "3-2",
					  "0-3", "3-9", "1-2-3", "1 - 2", "9"};
	int64_t low = 42, high = 43;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(pl_int_parse_range(bad[i], 1, 8, &low, &high) == -1 && low == 42 && high == 43,
		   "no range of 1 to 8: \"%s\"", bad[i]);
	ok(!pl_int_parse_range("1-8", 1, 8, &low, &high) && low == 1 && high == 8,
	   "the whole of it");
	ok(!pl_int_parse_range("5", 1, 8, &low, &high) && low == 5 && high == 5,
	   "one number is both");
}

int main(void)
{
	test_int();
	test_range();
	test_uint();
	test_double();
	test_format();
	test_random(20261120);
	test_random_decimals(20261120);
	test_locale();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-size.c - sizes and rates as people write them */
#include "config.h"

#include "base/text/size.h"
#include "tests/tap.h"

#include <string.h>

struct size {
	const char *s;
	uint64_t bytes;
};

static void test_sizes(void)
{
	static const char *const bad[] = {
		"",
		"k",
		"-1",
		"1.5k",
		"64kB",
		"64Mib",
		"iB",
		"64 k",
		"0x10",
		"1kk",
		"1T",
		"+1",
		"nan",
		"9223372036854775808",
		"8796093022208M",
		"8589934592G",
		"18446744073709551616k",
	};
	static const struct size good[] = {
		{"0", 0},
		{"4096", 4096},
		{"64k", 65536},
		{"8M", 8 << 20},
		{"8MiB", 8 << 20},
		{"2g", (uint64_t)2 << 30},
		{"9223372036854775807", INT64_MAX},
		{"8589934591G", (uint64_t)8589934591 << 30},
	};
	uint64_t bytes = 42;
	int wrong = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!pl_size_parse(bad[i], strlen(bad[i]), &bytes)) {
			printf("# \"%s\" is taken for a size\n", bad[i]);
			wrong++;
		}
	is_int(wrong, 0, "what is no size is refused");
	ok(bytes == 42, "and leaves the output alone");
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (pl_size_parse(good[i].s, strlen(good[i].s), &bytes) || bytes != good[i].bytes) {
			printf("# \"%s\" is read wrong\n", good[i].s);
			wrong++;
		}
	is_int(wrong, 0, "sizes are read");
	ok(!pl_size_parse("64k,1", 3, &bytes) && bytes == 65536, "no further than the length");
}

static void test_format(void)
{
	static const struct size forms[] = {
		{"0", 0},
		{"1", 1},
		{"1000", 1000},
		{"1k", 1024},
		{"1025", 1025},
		{"256k", 262144},
		{"8M", 8 << 20},
		{"5G", (uint64_t)5 << 30},
		{"1024G", (uint64_t)1 << 40},
		{"9223372036854775807", INT64_MAX},
	};
	char buf[PL_SIZE_CHARS];

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		is_str(pl_size_format(buf, forms[i].bytes), forms[i].s, "a form");
}

static void test_rates(void)
{
	static const char *const bad[] = {
		"",      "x",           "Mbit",   "-5",     "0",      "1",
		"nan",   "1e9",         "5Tbit",  "5Mbits", "1 Mbit", "1Mbit/h",
		"0x100", "9999999Gbit", "1.2.3k", "inf",    "5MbitM", "5kk",
	};
	static const struct {
		const char *s;
		double bps;
	} good[] = {
		{"9600", 9600},        {"200Mbit", 2e8}, {"200mbit/s", 2e8},
		{"1.5G", 1.5e9},       {"10k", 1e4},     {"1Gbit", 1e9},
		{"2500000bit", 2.5e6}, {"1Kbit", 1000},  {"10Gbps", 1e10},
	};
	double bps = 42;
	int wrong = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!pl_rate_parse(bad[i], &bps)) {
			printf("# \"%s\" is taken for %g\n", bad[i], bps);
			wrong++;
		}
	is_int(wrong, 0, "what is no rate is refused");
	ok(bps == 42, "and leaves the output alone");
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (pl_rate_parse(good[i].s, &bps) || bps != good[i].bps) {
			printf("# \"%s\" is taken for %g\n", good[i].s, bps);
			wrong++;
		}
	is_int(wrong, 0, "rates are read");
}

static void test_times(void)
{
	static const char *const bad[] = {"",    "s",  "-1",   "1x", "1 s",   "nan",  "1hs",
					  "inf", "1S", "0x1s", "ms", "1e400", "5mss", "--1s"};
	static const struct {
		const char *s;
		double ns;
	} good[] = {
		{"0", 0},        {"2", 2000},    {"1h", 3600e9},
		{"2m", 120e9},   {"30s", 30e9},  {"500ms", 5e8},
		{"20us", 20e3},  {"100ns", 100}, {"7d", 7 * 86400e9},
		{"1.5s", 1.5e9}, {"1e3", 1e6},   {".5m", 30e9},
	};
	double ns = 42;
	int wrong = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!pl_time_parse(bad[i], 1000, &ns)) {
			printf("# \"%s\" is taken for %g\n", bad[i], ns);
			wrong++;
		}
	is_int(wrong, 0, "what is no time is refused");
	ok(ns == 42, "and leaves the output alone");
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (pl_time_parse(good[i].s, 1000, &ns) || ns != good[i].ns) {
			printf("# \"%s\" is taken for %g\n", good[i].s, ns);
			wrong++;
		}
	is_int(wrong, 0, "times are read, a bare number in its unit");
}

int main(void)
{
	test_sizes();
	test_format();
	test_rates();
	test_times();
	return done_testing();
}

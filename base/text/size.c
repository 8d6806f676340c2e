/* SPDX-License-Identifier: BSD-3-Clause */
/* size.c - sizes, rates and times as people write them */
#include "config.h"

#include "base/text/size.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The power of ten or of two that the letter stands for, in steps; 0: none. */
static int letter(char c)
{
	switch (c) {
	case 'k':
	case 'K':
		return 1;
	case 'm':
	case 'M':
		return 2;
	case 'g':
	case 'G':
		return 3;
	default:
		return 0;
	}
}

int pl_size_parse(const char *s, size_t len, uint64_t *bytes)
{
	int steps;
	uint64_t n;

	if (len > 3 && letter(s[len - 3]) && memcmp(s + len - 2, "iB", 2) == 0)
		len -= 2;
	steps = len ? letter(s[len - 1]) : 0;
	if (pl_uint_parse(s, steps ? len - 1 : len, (uint64_t)INT64_MAX >> (10 * steps), &n))
		return -1;
	*bytes = n << (10 * steps);
	return 0;
}

const char *pl_size_format(char buf[PL_SIZE_CHARS], uint64_t bytes)
{
	static const char letters[] = "kMG";
	size_t steps = 0;

	while (steps < 3 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		steps++;
	}
	snprintf(buf, PL_SIZE_CHARS, "%" PRIu64 "%.*s", bytes, steps ? 1 : 0,
		 steps ? letters + steps - 1 : "");
	return buf;
}

int pl_rate_parse(const char *s, double *bps)
{
	const size_t digits = strspn(s, "0123456789.");
	const char *unit = s + digits;
	double value;

	if (pl_double_parse(s, digits, &value))
		return -1;
	for (int steps = letter(*unit); steps > 0; steps--)
		value *= 1e3;
	if (letter(*unit))
		unit++;
	if (*unit && strcasecmp(unit, "bit") && strcasecmp(unit, "bit/s") &&
	    strcasecmp(unit, "bps"))
		return -1;
	/* a thousandth of a bit and a petabit per second are mistakes */
	if (value < 1000 || value > 1e15)
		return -1;
	*bps = value;
	return 0;
}

int pl_time_parse(const char *s, double unit_ns, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{"ns", 1},   {"us", 1e3},   {"ms", 1e6},    {"s", 1e9},
		{"m", 60e9}, {"h", 3600e9}, {"d", 86400e9},
	};
	size_t len = strlen(s);
	double x;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const size_t n = strlen(units[i].name);

		/* a digit before it: "5ms" ends in "s", too */
		if (len > n && strchr("0123456789.", s[len - n - 1]) &&
		    memcmp(s + len - n, units[i].name, n) == 0) {
			unit_ns = units[i].ns;
			len -= n;
			break;
		}
	}
	if (pl_double_parse(s, len, &x) || !(x >= 0))
		return -1;
	*ns = x * unit_ns;
	return 0;
}

const char *pl_rate_format(char buf[PL_RATE_CHARS], double bps)
{
	static const char *const unit[] = {"bit", "kbit", "Mbit", "Gbit"};
	size_t steps = 0;

	while (steps < 3 && bps >= 999.9999) {
		bps /= 1e3;
		steps++;
	}
	snprintf(buf, PL_RATE_CHARS, "%.7g%s", bps, unit[steps]);
	return buf;
}

/* Three digits without an exponent. */
static const char *put_time(char buf[PL_TIME_CHARS], double x, const char *unit)
{
	snprintf(buf, PL_TIME_CHARS, fabs(x) < 999.5 ? "%.3g %s" : "%.0f %s", x, unit);
	return buf;
}

const char *pl_time_format(char buf[PL_TIME_CHARS], double s)
{
	const double most = fabs(s);

	if (most >= 9999.5)
		return put_time(buf, s / 3600, "h");
	if (most >= 0.9995 || s == 0)
		return put_time(buf, s, "s");
	if (most >= 0.9995e-3)
		return put_time(buf, s * 1e3, "ms");
	if (most >= 0.9995e-6)
		return put_time(buf, s * 1e6, "us");
	return put_time(buf, s * 1e9, "ns");
}

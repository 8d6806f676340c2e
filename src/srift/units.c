/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c - time and money in units that a person would choose */
#include "config.h"

#include "src/srift/units.h"

#include <math.h>
#include <stdio.h>

/* Three digits without an exponent. */
static const char *put(char buf[SRIFT_UNIT_CHARS], double x, const char *unit)
{
	if (fabs(x) < 999.5)
		snprintf(buf, SRIFT_UNIT_CHARS, "%.3g %s", x, unit);
	else
		snprintf(buf, SRIFT_UNIT_CHARS, "%.0f %s", x, unit);
	return buf;
}

const char *srift_time_format(char buf[SRIFT_UNIT_CHARS], double s)
{
	const double most = fabs(s);

	if (most >= 9999.5)
		return put(buf, s / 3600, "h");
	if (most >= 0.9995 || s == 0)
		return put(buf, s, "s");
	if (most >= 0.9995e-3)
		return put(buf, s * 1e3, "ms");
	if (most >= 0.9995e-6)
		return put(buf, s * 1e6, "us");
	return put(buf, s * 1e9, "ns");
}

const char *srift_money_format(char buf[SRIFT_UNIT_CHARS], double dollars)
{
	const double most = fabs(dollars);

	if (most >= 0.9995)
		snprintf(buf, SRIFT_UNIT_CHARS, "$%.2f", dollars);
	else if (most >= 0.09995 || dollars == 0)
		snprintf(buf, SRIFT_UNIT_CHARS, "$%.3g", dollars);
	else if (most >= 1e-6)
		return put(buf, dollars * 100, "cents");
	else
		snprintf(buf, SRIFT_UNIT_CHARS, "under 0.0001 cents");
	return buf;
}

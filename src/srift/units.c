/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c - money in units that a person would choose */
#include "config.h"

#include "src/srift/units.h"

#include <math.h>
#include <stdio.h>

const char *srift_money_format(char buf[SRIFT_UNIT_CHARS], double dollars)
{
	const double most = fabs(dollars);

	if (most >= 0.9995)
		snprintf(buf, SRIFT_UNIT_CHARS, "$%.2f", dollars);
	else if (most >= 0.09995 || dollars == 0)
		snprintf(buf, SRIFT_UNIT_CHARS, "$%.3g", dollars);
	else if (most >= 1e-6)
		snprintf(buf, SRIFT_UNIT_CHARS, "%.3g cents", dollars * 100);
	else
		snprintf(buf, SRIFT_UNIT_CHARS, "under 0.0001 cents");
	return buf;
}

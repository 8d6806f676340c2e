/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - whether to follow a plan, and what that is expected to gain */
#include "config.h"

#include "shim/plan.h"

#include "base/text/size.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int pl_shim_check_age(const struct pl_plan *plan, const char *path, struct pl_err *err)
{
	const char *s = getenv("PLINK_MAX_AGE");
	int64_t made_s, age_s;
	double max_ns;

	if (!s || !*s)
		return 0;
	if (pl_time_parse(s, 1e9, &max_ns))
		return pl_err_set(err, PL_EUSAGE,
				  "PLINK_MAX_AGE must be a time, as 3600 or 1h, not \"%s\"", s);
	if (!plan->created || pl_plan_time(plan->created, &made_s))
		return pl_err_set(err, PL_EPARTIAL,
				  "%s does not say when it was made, and PLINK_MAX_AGE is %s: make "
				  "a new plan, or unset PLINK_MAX_AGE",
				  path, s);
	age_s = (int64_t)time(NULL) - made_s;
	if ((double)age_s > max_ns / 1e9)
		return pl_err_set(err, PL_EPARTIAL,
				  "%s is %lld s old, and PLINK_MAX_AGE is %s: make a new plan, or "
				  "unset PLINK_MAX_AGE",
				  path, (long long)age_s, s);
	return 0;
}

const char *pl_shim_gain(char buf[PL_GAIN_CHARS], const struct pl_order *order)
{
	buf[0] = '\0';
	/* NaN is neither */
	if (!(order->cost >= 0 && order->given > 0))
		return buf;
	if (order->cost < order->given)
		snprintf(buf, PL_GAIN_CHARS, ", %.1f %% cheaper than the given order",
			 100 - 100 * order->cost / order->given);
	else
		snprintf(buf, PL_GAIN_CHARS, ", no cheaper than the given order");
	return buf;
}

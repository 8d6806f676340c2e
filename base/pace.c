/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - is a job slower than expected, or faster, for longer than by
 * chance? */
#include "config.h"

#include "base/pace.h"

enum pl_pace_is pl_pace_see(struct pl_pace *p, const struct pl_pace_rule *rule, double rate)
{
	const double change = rate / p->expected - 1;

	if (change >= -rule->slower && change <= rule->faster) {
		p->expected += rule->follows * (rate - p->expected);
		p->n_off = 0;
		return PL_PACE_USUAL;
	}
	if (++p->n_off < rule->lasts)
		return PL_PACE_USUAL;
	return change < 0 ? PL_PACE_SLOWER : PL_PACE_FASTER;
}

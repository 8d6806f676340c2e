/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.c - what an order is expected to gain, in words */
#include "config.h"

#include "shim/gain.h"

#include <stdio.h>

const char *pl_shim_gain(char buf[PL_GAIN_CHARS], const struct pl_order *order)
{
	buf[0] = '\0';
	/* NaN is neither */
	if (!(order->cost >= 0 && order->given > 0))
		return buf;
	if (order->cost < order->given)
		snprintf(buf, PL_GAIN_CHARS,
			 ", %.1f %% cheaper than the given order",
			 100 - 100 * order->cost / order->given);
	else
		snprintf(buf, PL_GAIN_CHARS,
			 ", no cheaper than the given order");
	return buf;
}

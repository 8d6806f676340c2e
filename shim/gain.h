/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - what an order is expected to gain, in words */
#ifndef PLINK_SHIM_GAIN_H
#define PLINK_SHIM_GAIN_H

#include "base/plan/plan.h"

#include <stddef.h>

#define PL_GAIN_CHARS 64

/* ", 12.3 % cheaper than the given order", or "" where the plan does not say
 * what both cost. Returns @buf. */
const char *pl_shim_gain(char buf[PL_GAIN_CHARS], const struct pl_order *order);

#endif

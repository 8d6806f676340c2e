/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - what an order is expected to gain, in words */
#ifndef PLINK_SHIM_GAIN_H
#define PLINK_SHIM_GAIN_H

#include "base/plan/plan.h"

#include <stddef.h>

#define PL_GAIN_CHARS 64

/* Writes ", 12.3 % cheaper than the given order" or ", no cheaper than the
 * given order"; "" if the plan lacks one of the two costs, or the given order
 * costs 0. Returns @buf. */
const char *pl_shim_gain(char buf[PL_GAIN_CHARS], const struct pl_order *order);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.h - whether to follow a plan, and what that is expected to gain */
#ifndef PLINK_SHIM_PLAN_H
#define PLINK_SHIM_PLAN_H

#include "base/plan/plan.h"

/*
 * Compares the age of the plan with PLINK_MAX_AGE, in seconds. If the variable is not set or empty,
 * any age passes. @path names the plan in messages. 0, or -1: PL_EPARTIAL (the plan is older, or
 * does not say when it was made), PL_EUSAGE (the variable is not a number).
 */
int pl_shim_check_age(const struct pl_plan *plan, const char *path, struct pl_err *err);

#define PL_GAIN_CHARS 64

/* Writes ", 12.3 % cheaper than the given order" or ", no cheaper than the given order"; "" if the
 * plan lacks one of the two costs, or the given order costs 0. Returns @buf. */
const char *pl_shim_gain(char buf[PL_GAIN_CHARS], const struct pl_order *order);

#endif

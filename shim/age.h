/* SPDX-License-Identifier: BSD-3-Clause */
/* age.h - is a plan too old to be followed? */
#ifndef PLINK_SHIM_AGE_H
#define PLINK_SHIM_AGE_H

#include "base/plan/plan.h"

/*
 * Compares the age of the plan with PLINK_MAX_AGE, in seconds. If the variable
 * is not set or empty, any age passes. @path names the plan in messages. 0, or
 * -1: PL_EPARTIAL (the plan is older, or does not say when it was made),
 * PL_EUSAGE (the variable is not a number).
 */
int pl_shim_check_age(const struct pl_plan *plan, const char *path,
		      struct pl_err *err);

#endif

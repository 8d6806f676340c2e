/* SPDX-License-Identifier: BSD-3-Clause */
/* age.h - is a plan too old to be followed? */
#ifndef PLINK_SHIM_AGE_H
#define PLINK_SHIM_AGE_H

#include "base/plan/plan.h"

/*
 * As PLINK_MAX_AGE says, seconds; any age will do where it is not set. @path is
 * for the message. 0, or -1: PL_EPARTIAL (older, or it does not say when it was
 * made), PL_EUSAGE (the variable is no number).
 */
int pl_shim_check_age(const struct pl_plan *plan, const char *path,
		      struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* lacking.h - functions that the real library does not have */
#ifndef PLINK_SHIM_NCCL_LACKING_H
#define PLINK_SHIM_NCCL_LACKING_H

#include "shim/nccl/nccl-abi.h"

/* For each type that a function of NCCL returns: says that the program has
 * called @name in vain, and what an error looks like in that type. */
ncclResult_t pl_lacking_ncclResult_t(const char *name);
const char *pl_lacking_const_char(const char *name);
ncclTeam_t pl_lacking_ncclTeam_t(const char *name);
int pl_lacking_int(const char *name);
void pl_lacking_void(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* lacking.h - functions that the real library does not have */
#ifndef PLINK_SHIM_NCCL_LACKING_H
#define PLINK_SHIM_NCCL_LACKING_H

#include "shim/nccl/nccl-abi.h"

/* One for each type that NCCL's functions return: says, once in a process, that the program calls
 * @name, which the real library lacks (nothing if there is no NCCL at all, which was said before),
 * and returns an error in that type. */
ncclResult_t pl_lacking_ncclResult_t(const char *name);
const char *pl_lacking_const_char(const char *name);
ncclTeam_t pl_lacking_ncclTeam_t(const char *name);
int pl_lacking_int(const char *name);
void pl_lacking_void(const char *name);

#endif

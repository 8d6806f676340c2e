/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - the state of communicators, and their end */
#ifndef PLINK_SHIM_NCCL_LIFE_H
#define PLINK_SHIM_NCCL_LIFE_H

#include "shim/nccl/real.h"

/* Takes the hidden communicator away from @app and returns it; the caller ends
 * it. NULL if there is none, or it is still being made. All processes of @app
 * must do this alike. */
ncclComm_t pl_life_take_shadow(ncclComm_t app);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - how communicators fare and end */
#ifndef PLINK_SHIM_NCCL_LIFE_H
#define PLINK_SHIM_NCCL_LIFE_H

#include "shim/nccl/real.h"

/* The hidden communicator of @app, which the caller is to end, or NULL: from
 * here on, @app has none. For what all processes do. */
ncclComm_t pl_life_take_shadow(ncclComm_t app);

#endif

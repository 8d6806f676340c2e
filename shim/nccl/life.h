/* SPDX-License-Identifier: BSD-3-Clause */
/* life.h - how communicators fare and end */
#ifndef PLINK_SHIM_NCCL_LIFE_H
#define PLINK_SHIM_NCCL_LIFE_H

#include "shim/nccl/real.h"

/* Aborts the hidden communicator of @app, if there is one: from here on, @app has
 * none. For what all processes do. */
void pl_life_abort_shadow(ncclComm_t app);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.h - the algorithms of NCCL, for the catalogue */
#ifndef PLINK_COSTMODELS_NCCL_H
#define PLINK_COSTMODELS_NCCL_H

#include "costmodels/algorithm.h"

/* The last entry has no name. */
extern const struct pl_algorithm pl_nccl_algorithms[];

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm.h - the algorithms of LightGBM, for the catalogue */
#ifndef PLINK_COSTMODELS_LIGHTGBM_H
#define PLINK_COSTMODELS_LIGHTGBM_H

#include "costmodels/algorithm.h"

/* The last entry has no name. */
extern const struct pl_algorithm pl_lightgbm_algorithms[];

#endif

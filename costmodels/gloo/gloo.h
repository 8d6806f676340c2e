/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo.h - the algorithms of Gloo, for the catalogue */
#ifndef PLINK_COSTMODELS_GLOO_H
#define PLINK_COSTMODELS_GLOO_H

#include "costmodels/algorithm.h"

/* The last entry has no name. */
extern const struct pl_algorithm pl_gloo_algorithms[];

#endif

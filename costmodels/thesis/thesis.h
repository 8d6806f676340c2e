/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis.h - the algorithms of the PLink thesis, for the catalogue */
#ifndef PLINK_COSTMODELS_THESIS_H
#define PLINK_COSTMODELS_THESIS_H

#include "costmodels/algorithm.h"

/* The last entry has no name. */
extern const struct pl_algorithm pl_thesis_algorithms[];

#endif

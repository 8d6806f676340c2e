/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.h - the algorithms of Open MPI, for the catalogue */
#ifndef PLINK_COSTMODELS_OPENMPI_H
#define PLINK_COSTMODELS_OPENMPI_H

#include "costmodels/algorithm.h"

/* The last entry has no name. */
extern const struct pl_algorithm pl_openmpi_algorithms[];

#endif

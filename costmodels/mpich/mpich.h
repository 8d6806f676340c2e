/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.h - the algorithms of MPICH, for the catalogue */
#ifndef PLINK_COSTMODELS_MPICH_H
#define PLINK_COSTMODELS_MPICH_H

#include "costmodels/algorithm.h"

/* Above that UCX makes a handshake (predict/protocol.c), of so many ways, the
 * data's one included. */
#define PL_MPICH_EAGER_BYTES 19522
#define PL_MPICH_TRIPS 5

/* The last entry has no name. */
extern const struct pl_algorithm pl_mpich_algorithms[];

/* The variable by which MPICH's algorithm for that is chosen, and its value, as
 * in an environment: "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
 * "recursive_doubling". @a is no rule. */
const char *pl_mpich_variable(const struct pl_algorithm *a);

#define PL_MPICH_VALUE 64
const char *pl_mpich_value(char buf[PL_MPICH_VALUE],
			   const struct pl_algorithm *a);

#endif

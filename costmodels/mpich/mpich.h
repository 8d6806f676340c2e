/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.h - the settings that make MPICH take an algorithm */
#ifndef PLINK_COSTMODELS_MPICH_H
#define PLINK_COSTMODELS_MPICH_H

#include "costmodels/algorithm.h"

/* Larger messages take a handshake in UCX (predict/protocol.c): so many one-way
 * trips, including that of the data. */
#define PL_MPICH_EAGER_BYTES 19522
#define PL_MPICH_TRIPS 5

/* The environment variable that makes MPICH run @a, and its value:
 * "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "recursive_doubling". @a must not be a
 * rule. pl_mpich_value returns @buf. */
const char *pl_mpich_variable(const struct pl_algorithm *a);

#define PL_MPICH_VALUE 64
const char *pl_mpich_value(char buf[PL_MPICH_VALUE], const struct pl_algorithm *a);

#endif

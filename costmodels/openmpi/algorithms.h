/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - what the files of this folder give its table, and share */
/*
 * Open MPI 4.1's coll/tuned on one intracommunicator, with commutative
 * operations. Names are those of its enumerations (coll_tuned_X_algorithm),
 * settings their numbers; "default" is what its fixed decision rules take.
 * A communicator of one rank never gets to coll/tuned and sends nothing.
 */
#ifndef PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H
#define PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H

#include "costmodels/algorithm.h"

/* The table's entry of that name, which must exist. */
const struct pl_algorithm *pl_openmpi_algorithm(enum pl_collective collective,
						const char *name);

/* 0, or -1 with @err set (PL_EUSAGE): MPI counts elements in an int. */
int pl_openmpi_check_count(const struct pl_call *call, struct pl_err *err);

/* all-reduce */

/* broadcast */

/* reduce */

/* all-gather */

/* reduce-scatter */

/* barrier */

#endif

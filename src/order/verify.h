/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - does the launcher keep the order? */
#ifndef PLINK_SRC_ORDER_VERIFY_H
#define PLINK_SRC_ORDER_VERIFY_H

#include "src/order/launch.h"
#include "src/order/output.h"

#include <signal.h>

/*
 * Writes the order to a temporary file and runs the command that the report
 * prints with a program that prints its rank and host name. Compares that name
 * with the node name if it is known, else with the host's name, in full or up
 * to the first dot; for srun with Slurm's name of the node. Reports the result
 * on stderr. 0: every rank is on its host. -1 with @err set: PL_EPARTIAL if one
 * is not, this cannot be determined, or mpirun failed; PL_ESYSTEM.
 */
int pl_reorder_verify(const struct pl_reorder_answer *a,
		      const struct pl_mpi *mpi, const char *mpirun,
		      const volatile sig_atomic_t *stop, struct pl_err *err);

#endif

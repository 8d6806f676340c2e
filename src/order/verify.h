/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - does the launcher keep the order? */
#ifndef PLINK_SRC_ORDER_VERIFY_H
#define PLINK_SRC_ORDER_VERIFY_H

#include "src/order/launch.h"
#include "src/order/output.h"

#include <signal.h>

/*
 * Writes the order to a temporary file, runs the command that the report
 * prints with a program that tells its rank and its host's name, and compares:
 * with the node name where it is known, else with the host's name, in full or
 * up to the first dot; of srun's tasks with the name that Slurm has for it.
 * Says on stderr what it found.
 * 0: every rank is on its host. -1 with @err set: PL_EPARTIAL where one is not,
 * or it cannot be told, or mpirun failed; PL_ESYSTEM.
 */
int pl_order_verify(const struct pl_order_answer *a, const struct pl_mpi *mpi,
		    const char *mpirun, const volatile sig_atomic_t *stop,
		    struct pl_err *err);

#endif

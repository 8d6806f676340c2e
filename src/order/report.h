/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what plink-order reports about its answer on stderr, and whether the launcher keeps
 * it */
#ifndef PLINK_SRC_ORDER_REPORT_H
#define PLINK_SRC_ORDER_REPORT_H

#include "src/order/launch.h"
#include "src/order/output.h"
#include "src/order/setting.h"

#include <signal.h>

/* Reports pairs, costs, bound and gap, seconds, seed, moves, and warnings about the order, if
 * any. */
void pl_reorder_report(const struct pl_reorder_answer *a);

/* Which algorithm a rule ("default") selects for the size, or for which
 * sizes. */
void pl_reorder_report_taken(const struct pl_reorder_answer *a);

/* The bound, and how far from it the order is. */
void pl_reorder_report_bound(const struct pl_reorder_answer *a);

/* Calls that all orders make equally fast. */
void pl_reorder_report_pairs(const struct pl_reorder_answer *a);

/* Reports hosts and pairs if nothing was measured; false if something was. */
bool pl_reorder_report_told_pairs(const struct pl_reorder_answer *a);

/* Where the measurements and the topology file disagree. */
void pl_reorder_report_told(const struct pl_reorder_answer *a);

/* Which NCCL_ALGO the order is for, and whether NCCL would select another. */
void pl_reorder_report_nccl(const struct pl_reorder_answer *a);

/* Reports the command that keeps the order in @file (NULL: standard output, whose name is looked
 * for). @mpi is the kind of @mpirun. */
void pl_reorder_report_launch(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
			      const char *mpirun, const char *file);

#define PL_REORDER_WHO 128

/* Makes that command, before anything is written, and @who, whom it is for. The caller frees it.
 * NULL: there is none, or out of memory. */
char *pl_reorder_launch_command(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
				const char *mpirun, const char *file, char who[PL_REORDER_WHO]);

#define PL_REORDER_TIME 48

/* Three digits and the unit a person would choose: "11.5 ms"; or a cost, where the promise is one
 * of costs. Returns @buf. */
const char *pl_reorder_time_text(char buf[PL_REORDER_TIME], const struct pl_reorder_answer *a,
				 double time);

/* "64k, 1M": the calls of which nothing is promised since that would depend on rates that are not
 * known. The caller frees it; NULL: there are none, or out of memory. */
char *pl_reorder_guessed_calls(const struct pl_order_promise *p);

/* The library by its version where that is known: "Open MPI 4.1.4". */
const char *pl_reorder_library_name(const struct pl_reorder_answer *a);

/* Which schedules are written, and what is predicted of them. */
void pl_reorder_report_schedules(const struct pl_reorder_answer *a);

/* The times of the calls in the given and in the found order. */
void pl_reorder_report_promise(const struct pl_reorder_answer *a);

/*
 * Writes the order to a temporary file and runs the command that the report prints with a program
 * that prints its rank and host name. Compares that name with the node name if it is known, else
 * with the host's name, in full or up to the first dot; for srun with Slurm's name of the node.
 * Reports the result on stderr. 0: every rank is on its host. -1 with @err set: PL_EPARTIAL if one
 * is not, this cannot be determined, or mpirun failed; PL_ESYSTEM.
 */
int pl_reorder_verify(const struct pl_reorder_answer *a, const struct pl_mpi *mpi,
		      const char *mpirun, const volatile sig_atomic_t *stop, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what plink-order reports about its answer on stderr */
#ifndef PLINK_SRC_ORDER_REPORT_H
#define PLINK_SRC_ORDER_REPORT_H

#include "src/order/launch.h"
#include "src/order/output.h"
#include "src/order/setting.h"

/* Reports pairs, costs, bound and gap, seconds, seed, moves, and warnings about
 * the order, if any. */
void pl_reorder_report(const struct pl_reorder_answer *a);

/* Which algorithm a rule ("default") selects for the size, or for which
 * sizes. */
void pl_reorder_report_taken(const struct pl_reorder_answer *a);

/* The unit of costs, such as " ms"; empty for several kinds of calls, whose
 * costs are relative to those of the given order. */
const char *pl_reorder_cost_unit(const struct pl_reorder_answer *a);

/* The bound, and how far from it the order is. */
void pl_reorder_report_bound(const struct pl_reorder_answer *a);

/* Reports hosts and pairs if nothing was measured; false if something was. */
bool pl_reorder_report_told_pairs(const struct pl_reorder_answer *a);

/* Where the measurements and the topology file disagree. */
void pl_reorder_report_told(const struct pl_reorder_answer *a);

/* Which NCCL_ALGO the order is for, and whether NCCL would select another. */
void pl_reorder_report_nccl(const struct pl_reorder_answer *a);

/* Reports the command that keeps the order in @file (NULL: standard output,
 * whose name is looked for). @mpi is the kind of @mpirun. */
void pl_reorder_report_launch(const struct pl_reorder_answer *a,
			      const struct pl_mpi *mpi, const char *mpirun,
			      const char *file);

/* The options of mpirun that make the library use the named algorithm; empty:
 * there are none, or rules are written. Returns @buf. */
const char *pl_reorder_named_setting(char buf[PL_SETTING_CHARS],
				     const struct pl_reorder_answer *a);

#define PL_REORDER_WHO 128

/* Makes that command, before anything is written, and @who, whom it is for. The
 * caller frees it. NULL: there is none, or out of memory. */
char *pl_reorder_launch_command(const struct pl_reorder_answer *a,
				const struct pl_mpi *mpi, const char *mpirun,
				const char *file, char who[PL_REORDER_WHO]);

#define PL_REORDER_TIME 48

/* Three digits and the unit a person would choose: "11.5 ms"; or a cost, where
 * the promise is one of costs. Returns @buf. */
const char *pl_reorder_time_text(char buf[PL_REORDER_TIME],
				 const struct pl_reorder_answer *a,
				 double time);

/* The library by its version where that is known: "Open MPI 4.1.4". */
const char *pl_reorder_library_name(const struct pl_reorder_answer *a);

/* Which schedules are written, and what is predicted of them. */
void pl_reorder_report_schedules(const struct pl_reorder_answer *a);

/* The times of the calls in the given and in the found order. */
void pl_reorder_report_promise(const struct pl_reorder_answer *a);

#endif

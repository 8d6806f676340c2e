/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - what plink-order says on stderr about its answer */
#ifndef PLINK_SRC_ORDER_REPORT_H
#define PLINK_SRC_ORDER_REPORT_H

#include "src/order/launch.h"
#include "src/order/output.h"
#include "src/order/setting.h"

/* Pairs, costs, bound and gap, seconds, seed, moves; and what is the matter
 * with the order, if anything. */
void pl_order_report(const struct pl_order_answer *a);

/* Which algorithm a rule ("default") takes for the size, or for which sizes. */
void pl_order_report_taken(const struct pl_order_answer *a);

/* " ms" and the like; of several kinds of calls each counts by its share of the
 * given order's cost, which has no unit. */
const char *pl_order_cost_unit(const struct pl_order_answer *a);

/* The bound, and how far from it the order is. */
void pl_order_report_bound(const struct pl_order_answer *a);

/* Hosts and pairs where nothing was measured; false where something was. */
bool pl_order_report_told_pairs(const struct pl_order_answer *a);

/* Where what was measured and what is told disagree. */
void pl_order_report_told(const struct pl_order_answer *a);

/* For which NCCL_ALGO the order is, and whether NCCL would take another. */
void pl_order_report_nccl(const struct pl_order_answer *a);

/* The command that will honour the order, which is in @file (NULL: standard
 * output, whose name is looked for); @mpi is what @mpirun is. */
void pl_order_report_launch(const struct pl_order_answer *a,
			    const struct pl_mpi *mpi, const char *mpirun,
			    const char *file);

/* What makes the library take the algorithm that was named, which it might not
 * by itself: mpirun's options; empty: nothing does, or rules are written. */
const char *pl_order_named_setting(char buf[PL_SETTING_CHARS],
				   const struct pl_order_answer *a);

#define PL_ORDER_WHO 128

/* That command, before anything is written; the caller's; and whom it is for.
 * NULL: there is none, or no memory. */
char *pl_order_launch_command(const struct pl_order_answer *a,
			      const struct pl_mpi *mpi, const char *mpirun,
			      const char *file, char who[PL_ORDER_WHO]);

/* What its calls take in the given and in the found order. */
void pl_order_report_promise(const struct pl_order_answer *a);

#endif

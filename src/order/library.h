/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - which library runs the collectives of a job, by its launcher */
#ifndef PLINK_SRC_ORDER_LIBRARY_H
#define PLINK_SRC_ORDER_LIBRARY_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/algorithm.h"
#include "src/order/options.h"

/*
 * If names->impl is not given, sets it to the library of the launcher that the output is for. If
 * that is an mpirun, this is the MPI of the installed one, found by running it, or Open MPI if
 * there is none. If the library lacks the algorithm and the thesis has it, it is the thesis.
 */
void pl_reorder_library_find(struct pl_reorder_options *o, struct pl_order_names *names);

/*
 * If no library was named, and plink does not know what the library runs on these hosts, makes the
 * order one for the thesis' ring, and says so. 0, or -1 with @err set.
 */
int pl_reorder_library_check(struct pl_reorder_options *o, const struct pl_hosts *hosts,
			     struct pl_err *err);

#endif

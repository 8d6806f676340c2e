/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - whose collectives a job runs, by how it is launched */
#ifndef PLINK_SRC_ORDER_LIBRARY_H
#define PLINK_SRC_ORDER_LIBRARY_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/algorithm.h"
#include "src/order/options.h"

/*
 * Where names->impl says nothing: the library of the launcher that the output
 * is for; where that is an mpirun, the MPI of the one that is installed, which
 * is asked, and Open MPI where there is none. An algorithm that the library
 * lacks and the thesis has is the thesis'.
 */
void pl_order_library_find(struct pl_order_options *o,
			   struct pl_order_names *names);

/*
 * Where nobody named the library, and what it runs among these hosts is not
 * known: makes the order one for the thesis' ring, and says so. 0, or -1 with
 * @err set.
 */
int pl_order_library_check(struct pl_order_options *o,
			   const struct pl_hosts *hosts, struct pl_err *err);

#endif

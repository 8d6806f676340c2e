/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.h - the calls that an order is for, and how much each counts */
#ifndef PLINK_ORDER_CALLS_WORKLOAD_H
#define PLINK_ORDER_CALLS_WORKLOAD_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/algorithm.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_order_work {
	struct pl_order_algorithm what; /* with its size */
	/* the algorithm that the library takes for that size; NULL: there is no
	 * rule, the algorithm was named */
	const struct pl_algorithm *taken;
	double weight; /* all together 1, those of no weight apart */
};

/* Start with {0}, end with fini. */
struct pl_order_workload {
	struct pl_order_work *v;
	size_t n;
	/* weights are of calls, whose seconds add up; else each size counts by
	 * its own time, relative to the least known */
	bool counted;
	/* behind v[n]: calls nobody asked for, which decide between orders that
	 * are equally good for the others */
	size_t n_ties;
	struct pl_err refused; /* why a size was left out, the last that was */
	/* of --stats: calls of a process, those among them that no order is
	 * found for, and of which kind most of these are */
	double n_calls, n_left_out, n_most;
	char most[64];
};

/*
 * The calls that the options state: --stats, or each collective at each size,
 * by the algorithm named or what the library takes. 0, or -1 with @err set: a
 * file that cannot be read, a stated size that the library cannot send
 * (PL_EUSAGE), memory.
 */
int pl_order_workload_init(struct pl_order_workload *w,
			   const struct pl_hosts *hosts,
			   const struct pl_order_request *q,
			   struct pl_err *err);
void pl_order_workload_fini(struct pl_order_workload *w);

/* The calls in the rows of a plink-stats(5) file that are of all ranks are
 * added to @w, their weights being numbers of calls. 0, or -1 with @err set. */
int pl_order_workload_read(struct pl_order_workload *w,
			   const struct pl_hosts *hosts,
			   const struct pl_order_request *q,
			   struct pl_err *err);

/* Fills in what the library takes. 0, or -1 with @err set: PL_EUSAGE where it
 * could not run that. */
int pl_order_workload_decide(struct pl_order_work *work,
			     const struct pl_hosts *hosts, struct pl_err *err);

/* Are its calls of several collectives? */
bool pl_order_workload_is_mixed(const struct pl_order_workload *w);

/* Adds one. 0, or -1 with @err set: memory. */
int pl_order_workload_add(struct pl_order_workload *w,
			  const struct pl_order_work *work, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - one order of hosts for all communicators of a job */
#ifndef PLINK_ORDER_JOB_ORDER_H
#define PLINK_ORDER_JOB_ORDER_H

#include "base/err.h"
#include "base/stop.h"
#include "job/job.h"
#include "order/input.h"
#include "order/request.h"
#include "order/solve.h"

#include <stdbool.h>
#include <stddef.h>

/* What a kind costs in a step, calls and exposed share included: seconds, or
 * the unit of distances. */
struct pl_job_part {
	double given, found;
	double alone; /* in the best order for this kind, without the others */
	double bound; /* no order costs it less */
};

/* Start with {0}, end with fini. */
struct pl_job_answer {
	struct pl_job_part *kind; /* [n] as in the job */
	size_t n;
	double given, found, bound; /* of all kinds */
	bool in_seconds;
};

/*
 * Finds the order in which a step of the job costs least (order/job/cost.h),
 * for as many ranks as the hosts have slots: the hosts that are measured in
 * round trips take half of one each way. Hosts of different slots do not
 * exchange places. Fills @r, in the input's unit, and @a. Of @q counts how to
 * search, names.impl where the job names no library, and min_gain. 0, or -1
 * with @err set: PL_EINPUT if the job has another number of ranks, or a call
 * that its library cannot make; PL_ESYSTEM.
 */
int pl_job_order(struct pl_order_result *r, struct pl_job_answer *a,
		 const struct pl_job *job, const struct pl_order_input *in,
		 const struct pl_order_request *q, const struct pl_stop *stop,
		 struct pl_err *err);

/* The same for the order r->host_at[hosts.n], which is not changed: its cost,
 * the given order's, and the bound. Kinds have no cost alone (NaN). */
int pl_job_order_cost(struct pl_order_result *r, struct pl_job_answer *a,
		      const struct pl_job *job, const struct pl_order_input *in,
		      const struct pl_order_request *q, struct pl_err *err);

void pl_job_answer_fini(struct pl_job_answer *a);

#endif

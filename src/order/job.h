/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - --job: an order for all communicators of a job */
#ifndef PLINK_SRC_ORDER_JOB_H
#define PLINK_SRC_ORDER_JOB_H

#include "base/stop.h"
#include "order/job/order.h"
#include "src/order/output.h"

#include <jansson.h>

/* Start with {0}, end with fini. */
struct pl_reorder_job {
	struct pl_job job;
	struct pl_job_answer answer;
};

/* Reads the job in o->job, if there is one. 0, or -1 with @err set. */
int pl_reorder_job_read(struct pl_reorder_job *job, const struct pl_reorder_options *o,
			struct pl_err *err);
void pl_reorder_job_fini(struct pl_reorder_job *job);

/* Where the list states no slots, each host gets as many as the job has ranks for it; a list with a
 * line for each rank is as it is. */
void pl_reorder_job_slots(const struct pl_reorder_job *job, const struct pl_reorder_options *o,
			  struct pl_order_input *in);

/* "allreduce 16M x 96, 8 groups of 8". */
#define PL_REORDER_KIND 160
void pl_reorder_job_describe(char buf[PL_REORDER_KIND], const struct pl_job_kind *kind);

/* Reports what each kind costs in the given and in the found order, and the bound. */
void pl_reorder_report_job(const struct pl_reorder_answer *a);

/* The same as JSON. */
json_t *pl_reorder_json_job(const struct pl_reorder_answer *a);

#endif

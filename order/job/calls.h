/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.h - the calls of a job's kinds, as the cost models know them */
#ifndef PLINK_ORDER_JOB_CALLS_H
#define PLINK_ORDER_JOB_CALLS_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/script.h"
#include "job/job.h"
#include "order/algorithm.h"

#include <stddef.h>

/* Finds the algorithm of a kind: of its library, that of the job or else @library, which may be
 * NULL (the thesis). For a pipeline or traffic, any of that library. 0, or -1 with @err set
 * (PL_EUSAGE): there is none. */
int pl_job_find_algorithm(struct pl_order_algorithm *what, const struct pl_job *job,
			  const struct pl_job_kind *kind, const char *library, struct pl_err *err);

/* The call of a group with these seats [n], by rank in the group: as many slots as members in a row
 * have the same seat, if that is so for all; else 1. */
struct pl_call pl_job_call(const struct pl_job_kind *kind, const struct pl_order_algorithm *what,
			   const size_t *seat, size_t n);

/* factor.c: the sum over the rounds of a call, divided by the cost of its shape, if all hops cost
 * the mean of @costs. 0, or -1 with @err set. */
int pl_job_factor(const struct pl_algorithm *a, const struct pl_call *call,
		  const struct pl_costs *costs, double *factor, struct pl_err *err);

/* pipeline.c: what @n_stages stages do in a call of a pipeline; ends with pl_script_fini. 0, or -1
 * with @err set. */
int pl_job_pipeline_script(struct pl_script *s, const struct pl_job_kind *kind, size_t n_stages,
			   struct pl_err *err);

/* interleaved.c: writes what stage @pos does if stages have several parts of the model. */
void pl_job_interleaved_stage(struct pl_script *s, const struct pl_job_kind *kind, size_t pos,
			      size_t n_stages);

/* The seconds that a call takes without a network: of a pipeline of p stages with v parts each and
 * m microbatches, m + (p - 1) / v times the computing of one, which is a bubble of (p - 1) / (v m);
 * 0 if the computing is not given.
 */
double pl_job_computing_s(const struct pl_job_kind *kind);

#endif

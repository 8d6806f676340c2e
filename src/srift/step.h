/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h - a step of a job with calls of its own (plink-job(5)) */
#ifndef PLINK_SRC_SRIFT_STEP_H
#define PLINK_SRC_SRIFT_STEP_H

#include "order/job/order.h"
#include "planner/srift/iteration/iteration.h"
#include "src/srift/options.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {0}, end with fini. */
struct srift_step {
	struct pl_job job;
	struct pl_job_answer calls; /* played in both orders */
	struct pl_slowest slowest;
	/* of the pipeline with the longest bubble; no stages: there is none */
	size_t stages;
	uint64_t microbatches, vpp;
	double bubble_s;
	double given_s, found_s; /* of a step */
};
void srift_step_fini(struct srift_step *s);

/* Predicts the step of o->job on the machines of @sel, which are the hosts of the plan, or of the
 * matrix. 0, or -1 with @err set. */
int srift_step_predict(struct srift_step *s, const struct srift_options *o,
		       const struct pl_selection *sel, struct pl_err *err);

/* The lines of a step: bubble, and calls of each kind. */
void srift_step_write(const struct srift_step *s, FILE *out);
json_t *srift_step_json(const struct srift_step *s);

#endif

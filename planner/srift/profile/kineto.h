/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto.h - profiles of models (plink-profile(5)) from traces of PyTorch's
 * profiler */
#ifndef PLINK_PLANNER_SRIFT_PROFILE_KINETO_H
#define PLINK_PLANNER_SRIFT_PROFILE_KINETO_H

#include "base/err.h"
#include "planner/srift/profile/kineto-events.h"
#include "planner/srift/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What becomes ready as a whole. */
struct pl_kineto_gradient {
	uint64_t bytes;
	double finish; /* share of the backward pass, from 0 to 1 */
};

/* A trace's iterations, all of one batch. Start with {0}, end with fini. */
struct pl_kineto {
	double forward_s, backward_s; /* medians */
	/* standard deviation over mean, by the quartiles; 0 where there are
	 * fewer than eight iterations */
	double straggler;
	struct pl_kineto_gradient *gradient; /* in the order of being ready */
	size_t n_gradients;
	bool by_message; /* not of parameters: of all-reduces */
	bool unmarked;   /* no iterations are marked: taken for one */
	size_t n_steps;
	/* not taken: without both passes; with other gradients than the last */
	size_t n_partial, n_other;
	size_t n_kernels; /* of an accelerator; 0: times are the processor's */
};

/*
 * An iteration is what lies within ProfilerStep#N, or else up to the end of
 * each Optimizer.step, or else all. Its backward pass is from the first to the
 * last function that autograd runs, its forward pass from when the model is
 * called (or, where no event tells, the first operation behind zero_grad and
 * the data loader) to the backward pass.
 * An instant of the processor is that on which the kernels launched until then
 * have ended, if that is later: so passes and gradients are timed on an
 * accelerator. NCCL's kernels do not count. A gradient is there when it has
 * been added to its parameter's; where shapes are not told, all-reduces stand
 * for gradients, each there when it is asked for.
 * 0, or -1 with @k empty and @err set: PL_EINPUT for a trace in which there is
 * no iteration, or no word of sizes; PL_ESYSTEM for memory.
 */
int pl_kineto_take(struct pl_kineto *k, const struct pl_kineto_events *e,
		   const char *path, struct pl_err *err);
int pl_kineto_read(struct pl_kineto *k, const char *path, struct pl_err *err);
void pl_kineto_fini(struct pl_kineto *k);

/*
 * The profile of @n traces at batches of batch[n] samples, ascending; when
 * gradients are there by the last one. 0, or -1 with @p empty and @err set:
 * PL_EINPUT for traces of different gradients, PL_ESYSTEM for memory.
 */
int pl_kineto_profile(struct pl_profile *p, const struct pl_kineto *k,
		      const double *batch, size_t n, const char *model,
		      const char *instance, struct pl_err *err);

#endif

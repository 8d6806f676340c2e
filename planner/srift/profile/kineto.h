/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto.h - profiles of models (plink-profile(5)) from traces of PyTorch's profiler */
#ifndef PLINK_PLANNER_SRIFT_PROFILE_KINETO_H
#define PLINK_PLANNER_SRIFT_PROFILE_KINETO_H

#include "base/err.h"
#include "planner/srift/profile/kineto-events.h"
#include "planner/srift/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gradients that become ready together. */
struct pl_kineto_gradient {
	uint64_t bytes;
	double finish;      /* share of the backward pass, from 0 to 1 */
	double probability; /* share of the iterations that have it */
};

/* The iterations of a trace, all of one batch size. Start with {0}, end with fini. */
struct pl_kineto {
	double forward_s, backward_s; /* medians */
	/* standard deviation over mean, estimated from the quartiles; 0 with fewer than eight
	 * iterations */
	double straggler;
	struct pl_kineto_gradient *gradient; /* in the order of being ready */
	size_t n_gradients;
	bool by_message; /* gradients are of all-reduces, not of parameters */
	bool unmarked;   /* no iterations are marked: the trace counts as one */
	size_t n_steps;
	/* left out: iterations without both passes; with gradients that the fullest one does not
	 * have, or other all-reduces than the last one */
	size_t n_partial, n_other;
	size_t n_kernels;     /* on an accelerator; 0: times are the processor's */
	struct pl_err damage; /* of events left out; code PL_OK: none was */
};

/*
 * An iteration is what lies within ProfilerStep#N; without such marks, what
 * ends with each Optimizer.step; without these, the whole trace. Its backward
 * pass is from the first to the last function that autograd runs. Its forward
 * pass is from the call of the model to the backward pass; if no event marks
 * the call, it begins with the first operation after zero_grad and the data
 * loader.
 * To time passes and gradients on an accelerator, an instant on the processor
 * is replaced by the end of all kernels launched until then, if that is later.
 * NCCL's kernels do not count. A gradient is ready when it has been added to
 * that of its parameter. If the trace has no shapes, all-reduces stand for
 * gradients, each ready when it is requested.
 * 0, or -1 with @k empty and @err set: PL_EINPUT for a trace without an
 * iteration or without sizes of gradients; PL_ESYSTEM: out of memory.
 */
int pl_kineto_read(struct pl_kineto *k, const char *path, struct pl_err *err);
void pl_kineto_fini(struct pl_kineto *k);

/*
 * Makes a profile of @n traces with batches of batch[n] samples, ascending; the
 * last trace gives the times when gradients are ready, all iterations together
 * the probabilities of layers. 0, or -1 with @p empty
 * and @err set: PL_EINPUT for traces with different gradients, PL_ESYSTEM: out
 * of memory.
 */
int pl_kineto_profile(struct pl_profile *p, const struct pl_kineto *k, const double *batch,
		      size_t n, const char *model, const char *instance, struct pl_err *err);

#endif

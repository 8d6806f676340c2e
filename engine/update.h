/* SPDX-License-Identifier: BSD-3-Clause */
/* update.h - parameters that change by sums of gradients: an optimiser's step
 */
/*
 * With g the scaled sum of the gradients, plus weight_decay times the parameter, a step is that of
 * PyTorch's torch.optim, in float:
 *
 *   SUM   the scaled sum becomes the parameter, and all starts anew
 *   SGD   v = momentum v + (1 - dampening) g (at first g), d = v or, with
 *         Nesterov's momentum, g + momentum v; the parameter loses rate d
 *   ADAM  Kingma and Ba, 2015, algorithm 1: m and v are means of g and g^2 that
 *         forget by beta1 and beta2, corrected for their start at 0
 */
#ifndef PLINK_ENGINE_UPDATE_H
#define PLINK_ENGINE_UPDATE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_update_rule {
	PL_UPDATE_SUM,
	PL_UPDATE_SGD,
	PL_UPDATE_ADAM,
	PL_UPDATE_RULES,
};

struct pl_update {
	enum pl_update_rule rule;
	double scale; /* of the sum */
	double rate, weight_decay;
	double momentum, dampening; /* SGD */
	bool nesterov;
	double beta1, beta2, epsilon; /* ADAM */
};

/* The numbers of a step, as the loops take them. */
struct pl_update_step {
	float scale, decay, rate;
	float keep1, take1, keep2, take2; /* of the means, and of what comes */
	float by_gradient, by_mean;       /* what d is made of */
	float root, epsilon;
};

/* Start with {0}, end with fini. What is never touched takes no memory. */
struct pl_parameters {
	size_t count;
	float *value, *mean1, *mean2; /* [count]; NULL: none as yet */
	bool moves;                   /* mean1 is an SGD's */
	uint64_t n_steps;             /* of ADAM */
	/* the present step, for @n parameters from @at on */
	struct pl_update_step step;
	void (*apply)(struct pl_parameters *p, float *sum, size_t at, size_t n);
};

/* @count parameters, all 0. 0, or -1: out of memory. */
int pl_parameters_init(struct pl_parameters *p, size_t count);
void pl_parameters_fini(struct pl_parameters *p);

/* Begins a step, which pl_parameters_update() does for each part. 0, or -1 with @err set: PL_EINPUT
 * for a rule that does not exist, PL_ESYSTEM for memory. */
int pl_parameters_begin(struct pl_parameters *p, const struct pl_update *u, struct pl_err *err);

/* The step of @n parameters from @at on, by their gradients' sum, which they replace. @parameters
 * is a struct pl_parameters. */
void pl_parameters_update(void *parameters, void *sum, size_t at, size_t n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* update.c - parameters that change by sums of gradients: an optimiser's step
 */
#include "config.h"

#include "engine/update.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__ /* with sanitizers it vectorises nothing, and says so */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

static void sum(struct pl_parameters *p, float *g, size_t at, size_t n)
{
	float *value = p->value + at;
	const float scale = p->step.scale;

#pragma omp simd
	for (size_t i = 0; i < n; i++)
		g[i] = value[i] = scale * g[i];
}

static void sgd(struct pl_parameters *p, float *g, size_t at, size_t n)
{
	const struct pl_update_step s = p->step;
	float *value = p->value + at;

#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const float d = s.scale * g[i] + s.decay * value[i];

		g[i] = value[i] -= s.rate * d;
	}
}

static void momentum(struct pl_parameters *p, float *g, size_t at, size_t n)
{
	const struct pl_update_step s = p->step;
	float *value = p->value + at, *mean = p->mean1 + at;

#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const float d = s.scale * g[i] + s.decay * value[i];

		mean[i] = s.keep1 * mean[i] + s.take1 * d;
		g[i] = value[i] -= s.rate * (s.by_gradient * d + s.by_mean * mean[i]);
	}
}

static void adam(struct pl_parameters *p, float *g, size_t at, size_t n)
{
	const struct pl_update_step s = p->step;
	float *value = p->value + at;
	float *mean1 = p->mean1 + at, *mean2 = p->mean2 + at;

#pragma omp simd
	for (size_t i = 0; i < n; i++) {
		const float d = s.scale * g[i] + s.decay * value[i];

		mean1[i] = s.keep1 * mean1[i] + s.take1 * d;
		mean2[i] = s.keep2 * mean2[i] + s.take2 * d * d;
		g[i] = value[i] -= s.rate * mean1[i] / (sqrtf(mean2[i]) / s.root + s.epsilon);
	}
}

int pl_parameters_init(struct pl_parameters *p, size_t count)
{
	float *value = pl_array_create(count, sizeof(*value));

	if (!value)
		return -1;
	*p = (struct pl_parameters){.count = count, .value = value};
	return 0;
}

void pl_parameters_fini(struct pl_parameters *p)
{
	free(p->value);
	free(p->mean1);
	free(p->mean2);
	memset(p, 0, sizeof(*p));
}

static int begin_sum(struct pl_parameters *p, const struct pl_update *u)
{
	(void)u;
	free(p->mean1);
	free(p->mean2);
	p->mean1 = p->mean2 = NULL;
	p->moves = false;
	p->n_steps = 0;
	p->apply = sum;
	return 0;
}

/* Memory for a mean, once. */
static int make(float **mean, size_t count)
{
	if (!*mean)
		*mean = pl_array_create(count, sizeof(**mean));
	return *mean ? 0 : -1;
}

static int begin_sgd(struct pl_parameters *p, const struct pl_update *u)
{
	p->apply = sgd;
	if (u->momentum == 0)
		return 0;
	p->apply = momentum;
	p->step.keep1 = (float)u->momentum;
	p->step.take1 = p->moves ? (float)(1 - u->dampening) : 1;
	p->step.by_gradient = u->nesterov ? 1 : 0;
	p->step.by_mean = u->nesterov ? (float)u->momentum : 1;
	p->moves = true;
	return make(&p->mean1, p->count);
}

static int begin_adam(struct pl_parameters *p, const struct pl_update *u)
{
	const double t = (double)++p->n_steps;

	p->apply = adam;
	p->step.rate = (float)(u->rate / (1 - pow(u->beta1, t)));
	p->step.keep1 = (float)u->beta1;
	p->step.take1 = (float)(1 - u->beta1);
	p->step.keep2 = (float)u->beta2;
	p->step.take2 = (float)(1 - u->beta2);
	p->step.root = (float)sqrt(1 - pow(u->beta2, t));
	p->step.epsilon = (float)u->epsilon;
	return make(&p->mean1, p->count) || make(&p->mean2, p->count) ? -1 : 0;
}

static int (*const begin[PL_UPDATE_RULES])(struct pl_parameters *p, const struct pl_update *u) = {
	[PL_UPDATE_SUM] = begin_sum,
	[PL_UPDATE_SGD] = begin_sgd,
	[PL_UPDATE_ADAM] = begin_adam,
};

int pl_parameters_begin(struct pl_parameters *p, const struct pl_update *u, struct pl_err *err)
{
	if ((unsigned int)u->rule >= PL_UPDATE_RULES)
		return pl_err_set(err, PL_EINPUT, "no optimiser has number %u",
				  (unsigned int)u->rule);
	p->step = (struct pl_update_step){
		.scale = (float)u->scale, .decay = (float)u->weight_decay, .rate = (float)u->rate};
	return begin[u->rule](p, u) ? pl_err_nomem(err) : 0;
}

void pl_parameters_update(void *parameters, void *sum_of, size_t at, size_t n)
{
	struct pl_parameters *p = parameters;

	p->apply(p, sum_of, at, n);
}

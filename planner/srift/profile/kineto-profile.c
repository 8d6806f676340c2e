/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto-profile.c - one profile from traces at several batches */
#include "config.h"

#include "planner/srift/profile/kineto.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 64

/* Traces have no names of layers: the name is the kind and its place in the order of readiness. */
static int name_layer(struct pl_profile_layer *layer, const struct pl_kineto *k, size_t n, size_t i)
{
	char name[NAME_ROOM];
	double all = 0, with = 0;

	snprintf(name, sizeof(name), "%s %zu", k->by_message ? "all-reduce" : "gradient", i + 1);
	layer->name = pl_string_copy(name, strlen(name));
	layer->bytes = k->gradient[i].bytes;
	for (size_t t = 0; t < n; t++) {
		all += (double)k[t].n_steps;
		with += (double)k[t].n_steps * k[t].gradient[i].probability;
	}
	layer->probability = with / all;
	return layer->name ? 0 : -1;
}

static int build_layers(struct pl_profile *p, const struct pl_kineto *k, size_t n)
{
	p->layer = pl_array_create(k->n_gradients, sizeof(*p->layer));
	if (!p->layer)
		return -1;
	p->n_layers = k->n_gradients;
	for (size_t i = 0; i < k->n_gradients; i++)
		if (name_layer(&p->layer[i], k, n, i))
			return -1;
	return 0;
}

static int build_curve(struct pl_profile_curve *curve, const double *batch, size_t n)
{
	curve->batch = pl_array_create(n, sizeof(*curve->batch));
	curve->t_s = pl_array_create(n, sizeof(*curve->t_s));
	if (!curve->batch || !curve->t_s)
		return -1;
	curve->n = n;
	memcpy(curve->batch, batch, n * sizeof(*batch));
	return 0;
}

static int build_instance(struct pl_profile *p, const struct pl_kineto *k, const double *batch,
			  size_t n, const char *name)
{
	const struct pl_kineto *last = &k[n - 1];
	struct pl_profile_instance *in = pl_array_create(1, sizeof(*p->instance));

	if (!in)
		return -1;
	p->instance = in;
	p->n_instances = 1;
	in->name = pl_string_copy(name, strlen(name));
	in->finish = pl_array_create(p->n_layers, sizeof(*in->finish));
	if (!in->name || !in->finish || build_curve(&in->forward, batch, n) ||
	    build_curve(&in->backward, batch, n))
		return -1;
	in->ranks = 1;
	in->straggler = last->straggler;
	for (size_t i = 0; i < p->n_layers; i++)
		in->finish[i] = last->gradient[i].finish;
	for (size_t t = 0; t < n; t++) {
		in->forward.t_s[t] = k[t].forward_s;
		in->backward.t_s[t] = k[t].backward_s;
	}
	return 0;
}

/* Do all traces have the same gradients? */
static int check(const struct pl_kineto *k, const double *batch, size_t n, struct pl_err *err)
{
	for (size_t t = 1; t < n; t++) {
		if (k[t].n_gradients != k[0].n_gradients || k[t].by_message != k[0].by_message)
			return pl_err_set(err, PL_EINPUT,
					  "%zu %s with %g samples, %zu %s with %g: not the same "
					  "model, or recorded differently",
					  k[0].n_gradients,
					  k[0].by_message ? "all-reduces" : "gradients", batch[0],
					  k[t].n_gradients,
					  k[t].by_message ? "all-reduces" : "gradients", batch[t]);
		for (size_t i = 0; i < k[0].n_gradients; i++)
			if (k[t].gradient[i].bytes != k[0].gradient[i].bytes)
				return pl_err_set(err, PL_EINPUT,
						  "gradient %zu has %" PRIu64
						  " bytes with %g samples and %" PRIu64 " with %g",
						  i + 1, k[0].gradient[i].bytes, batch[0],
						  k[t].gradient[i].bytes, batch[t]);
	}
	return 0;
}

int pl_kineto_profile(struct pl_profile *p, const struct pl_kineto *k, const double *batch,
		      size_t n, const char *model, const char *instance, struct pl_err *err)
{
	*p = (struct pl_profile){0};
	if (check(k, batch, n, err))
		return -1;
	p->model = pl_string_copy(model, strlen(model));
	if (p->model && build_layers(p, k, n) == 0 && build_instance(p, k, batch, n, instance) == 0)
		return 0;
	pl_profile_fini(p);
	return pl_err_nomem(err);
}

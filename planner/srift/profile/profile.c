/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - what an iteration of a model computes on a machine */
#include "config.h"

#include "planner/srift/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fini_curve(struct pl_profile_curve *curve)
{
	free(curve->batch);
	free(curve->t_s);
}

void pl_profile_fini(struct pl_profile *p)
{
	for (size_t i = 0; p->layer && i < p->n_layers; i++)
		free(p->layer[i].name);
	for (size_t i = 0; p->instance && i < p->n_instances; i++) {
		free(p->instance[i].name);
		fini_curve(&p->instance[i].forward);
		fini_curve(&p->instance[i].backward);
		free(p->instance[i].finish);
		pl_origin_fini(&p->instance[i].origin);
	}
	pl_profile_numbers_fini(&p->numbers);
	free(p->layer);
	free(p->instance);
	free(p->model);
	memset(p, 0, sizeof(*p));
}

/* Do they profile the same model, and different machines? */
static int check_merge(const struct pl_profile *p, const struct pl_profile *more,
		       struct pl_err *err)
{
	if (strcmp(p->model, more->model) != 0)
		return pl_err_set(err, PL_EINPUT, "profiles of different models, %s and %s",
				  p->model, more->model);
	if (p->n_layers != more->n_layers)
		return pl_err_set(err, PL_EINPUT, "profiles of %zu layers and of %zu layers",
				  p->n_layers, more->n_layers);
	for (size_t i = 0; i < p->n_layers; i++) {
		const struct pl_profile_layer *a = &p->layer[i];
		const struct pl_profile_layer *b = &more->layer[i];

		if (strcmp(a->name, b->name) != 0 || a->bytes != b->bytes)
			return pl_err_set(err, PL_EINPUT,
					  "layer %zu is %s in one profile and %s in the other, or "
					  "of other bytes",
					  i + 1, a->name, b->name);
	}
	for (size_t i = 0; i < more->n_instances; i++) {
		const char *name = more->instance[i].name;

		if (pl_profile_find(p, name, strlen(name)))
			return pl_err_set(err, PL_EINPUT, "both profiles have the instance %s",
					  name);
	}
	return 0;
}

int pl_profile_merge(struct pl_profile *p, struct pl_profile *more, struct pl_err *err)
{
	struct pl_profile_instance *both;

	if (check_merge(p, more, err))
		return -1;
	both = realloc(p->instance, (p->n_instances + more->n_instances) * sizeof(*both));
	if (!both)
		return pl_err_nomem(err);
	p->instance = both;
	if (pl_profile_numbers_merge(&p->numbers, &more->numbers))
		return pl_err_nomem(err);
	memcpy(both + p->n_instances, more->instance, more->n_instances * sizeof(*both));
	p->n_instances += more->n_instances;
	more->n_instances = 0;
	return 0;
}

const struct pl_profile_instance *pl_profile_find(const struct pl_profile *p, const char *name,
						  size_t len)
{
	for (size_t i = 0; i < p->n_instances; i++)
		if (strlen(p->instance[i].name) == len &&
		    memcmp(p->instance[i].name, name, len) == 0)
			return &p->instance[i];
	return NULL;
}

static double per_sample(const struct pl_profile *p, const char *name,
			 const struct pl_profile_instance *in)
{
	const struct pl_profile_number *number =
		pl_profile_number_find(&p->numbers, name, in->name);

	/* below 0 is what measurements vary by */
	return number ? fmax(number->value, 0) / number->batch : 0;
}

void pl_profile_add_data(struct pl_profile *p, enum pl_profile_data data)
{
	for (size_t i = 0; i < p->n_instances; i++) {
		struct pl_profile_instance *in = &p->instance[i];

		if (data != PL_DATA_NONE)
			in->prep_s = per_sample(p, "prep_s", in);
		if (data == PL_DATA_STORAGE)
			in->fetch_s = per_sample(p, "fetch_s", in);
		for (size_t k = 0; k < in->forward.n; k++)
			in->forward.t_s[k] += (in->prep_s + in->fetch_s) * in->forward.batch[k];
	}
}

double pl_profile_seconds(const struct pl_profile_curve *curve, double batch)
{
	const double *b = curve->batch, *t = curve->t_s;
	size_t i = 0;

	if (curve->n == 1)
		return t[0];
	while (i + 2 < curve->n && batch > b[i + 1])
		i++;
	return t[i] + (t[i + 1] - t[i]) * ((batch - b[i]) / (b[i + 1] - b[i]));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - what an iteration of a model computes on a machine */
#include "config.h"

#include "planner/srift/profile/profile.h"

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
	}
	free(p->layer);
	free(p->instance);
	free(p->model);
	memset(p, 0, sizeof(*p));
}

const struct pl_profile_instance *pl_profile_find(const struct pl_profile *p,
						  const char *name, size_t len)
{
	for (size_t i = 0; i < p->n_instances; i++)
		if (strlen(p->instance[i].name) == len &&
		    memcmp(p->instance[i].name, name, len) == 0)
			return &p->instance[i];
	return NULL;
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

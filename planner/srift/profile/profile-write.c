/* SPDX-License-Identifier: BSD-3-Clause */
/* profile-write.c - profiles into their files */
#include "config.h"

#include "planner/srift/profile/profile.h"

#include <jansson.h>

static json_t *numbers(const double *v, size_t n)
{
	json_t *all = json_array();

	for (size_t i = 0; i < n; i++)
		if (json_array_append_new(all, json_real(v[i]))) {
			json_decref(all);
			return NULL;
		}
	return all;
}

static json_t *batches(const struct pl_profile_curve *curve)
{
	json_t *all = json_array();

	for (size_t i = 0; i < curve->n; i++)
		if (json_array_append_new(all, pl_profile_json_number(curve->batch[i]))) {
			json_decref(all);
			return NULL;
		}
	return all;
}

static json_t *layers(const struct pl_profile *p)
{
	json_t *all = json_array();

	for (size_t i = 0; i < p->n_layers; i++) {
		const struct pl_profile_layer *l = &p->layer[i];
		json_t *one = json_pack("{ss sI}", "name", l->name, "bytes", (json_int_t)l->bytes);

		if (one && l->probability != 1)
			json_object_set_new(one, "probability", json_real(l->probability));
		if (json_array_append_new(all, one)) {
			json_decref(all);
			return NULL;
		}
	}
	return all;
}

static json_t *instances(const struct pl_profile *p)
{
	json_t *all = json_array();

	for (size_t i = 0; i < p->n_instances; i++) {
		const struct pl_profile_instance *in = &p->instance[i];
		json_t *one = json_pack("{ss sI so so so sf so}", "name", in->name, "ranks",
					(json_int_t)in->ranks, "batches", batches(&in->forward),
					"forward_s", numbers(in->forward.t_s, in->forward.n),
					"backward_s", numbers(in->backward.t_s, in->backward.n),
					"straggler", in->straggler, "finish",
					numbers(in->finish, p->n_layers));

		if (one && pl_origin_write(&in->origin, one)) {
			json_decref(one);
			one = NULL;
		}
		if (json_array_append_new(all, one)) {
			json_decref(all);
			return NULL;
		}
	}
	return all;
}

static int check_name(const char *name, struct pl_err *err)
{
	json_t *value = json_string(name);

	if (!value)
		return pl_err_set(err, PL_EUSAGE, "\"%s\" is no UTF-8", name);
	json_decref(value);
	return 0;
}

static int check_names(const struct pl_profile *p, struct pl_err *err)
{
	int rc = check_name(p->model, err);

	for (size_t i = 0; rc == 0 && i < p->n_layers; i++)
		rc = check_name(p->layer[i].name, err);
	for (size_t i = 0; rc == 0 && i < p->n_instances; i++)
		rc = check_name(p->instance[i].name, err);
	return rc;
}

static int version_of(const struct pl_profile *p)
{
	for (size_t i = 0; i < p->n_instances; i++)
		if (p->instance[i].origin.kind)
			return 2;
	return p->numbers.n ? 2 : 1;
}

int pl_profile_write(const struct pl_profile *p, FILE *out, struct pl_err *err)
{
	json_t *all;
	int rc;

	if (check_names(p, err))
		return -1;
	all = json_pack("{si ss so so}", "plink-profile", version_of(p), "model", p->model,
			"layers", layers(p), "instances", instances(p));
	if (all && p->numbers.n &&
	    json_object_set_new(all, "numbers", pl_profile_numbers_json(&p->numbers))) {
		json_decref(all);
		all = NULL;
	}
	if (!all)
		return pl_err_nomem(err);
	rc = json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	json_decref(all);
	if (rc || fputc('\n', out) == EOF)
		return pl_err_errno(err, "cannot write the profile");
	return 0;
}

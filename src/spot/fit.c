/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - plink-spot fit: step times learned from what a model computes */
#include "config.h"

#include "src/spot/learn.h"

#include "base/mem.h"
#include "planner/srift/profile/number.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/spot/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS_ALL PL_REGRESS_KINDS

static const char *const model_name[] = {"linear", "pca", "rbf", "all", NULL};

/* Strings are borrowed from argv. */
struct options {
	struct pl_columns columns;
	char *names; /* the features' names stand in it */
	int model;   /* a pl_regress_kind, or MODELS_ALL */
	struct spot_learning learning;
	double at[PL_FEATURES_MAX];
	size_t n_at;
	const char *file, *output;
	const char *profile, *instance; /* NULL: not given */
	bool json;
	bool done;
};

#define AT(member) PL_OPTION_AT(struct options, member)

static int take_features(void *options, const struct pl_option *option, const char *value,
			 struct pl_err *err)
{
	struct options *o = options;
	char *s = pl_string_copy(value, strlen(value));

	if (!s)
		return pl_err_nomem(err);
	free(o->names);
	o->names = s;
	o->columns.n_features = 0;
	for (char *end; s; s = end) {
		end = strchr(s, ',');
		if (end)
			*end++ = '\0';
		if (!*s || o->columns.n_features == PL_FEATURES_MAX)
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants 1 to %d names of columns, not \"%s\"",
					  option->name, PL_FEATURES_MAX, value);
		o->columns.feature[o->columns.n_features++] = s;
	}
	return 0;
}

static int take_at(void *options, const struct pl_option *option, const char *value,
		   struct pl_err *err)
{
	struct options *o = options;

	return spot_take_values(o->at, &o->n_at, option, value, err);
}

/* clang-format off */
static const struct pl_option table[] = {
	{"features", required_argument, 0, .take = take_features},
	{"target", required_argument, 0, pl_take_filled, AT(columns.target)},
	{"model", required_argument, 0, pl_take_word, AT(model),
	 .words = model_name},
	{"folds", required_argument, 0, pl_take_whole, AT(learning.n_folds),
	 2, PL_SAMPLES_MAX},
	{"seed", required_argument, 0, pl_take_whole, AT(learning.seed),
	 0, UINT64_MAX},
	{"unscaled", no_argument, 0, pl_take_flag, AT(learning.unscaled)},
	{"at", required_argument, 0, .take = take_at},
	{"profile", required_argument, 0, pl_take_filled, AT(profile)},
	{"instance", required_argument, 0, pl_take_filled, AT(instance)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SPOT_TOOL, .option = table, .help = spot_fit_help};
	int status;

	*o = (struct options){.model = MODELS_ALL, .learning = {.n_folds = 5, .seed = 1}};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (optind + 1 != argc)
		return spot_usage("one table of measurements is wanted");
	if (!o->columns.n_features || !o->columns.target)
		return spot_usage("%s is wanted", o->columns.target ? "--features" : "--target");
	if (o->n_at && o->n_at != o->columns.n_features)
		return spot_usage("--at has %zu values of %zu features", o->n_at,
				  o->columns.n_features);
	if (!o->profile != !o->instance)
		return spot_usage("--profile and --instance go together");
	if (pl_tool_spares(SPOT_TOOL, o->output, o->profile))
		return PL_EXIT_USAGE;
	if (o->model == MODELS_ALL && !pl_svr_is_built_in())
		spot_warn("built without libsvm: no support vectors");
	o->file = argv[optind];
	return pl_tool_spares(SPOT_TOOL, o->output, o->file);
}

static void write_equation(const struct options *o, const struct pl_regress *fit, FILE *out)
{
	double coefficient[PL_FEATURES_MAX + 1];

	pl_regress_coefficients(fit, coefficient);
	fprintf(out, "  %s =", o->columns.target);
	for (size_t i = 0; i < fit->n_features; i++)
		fprintf(out, i ? " %+.6g * %s" : " %.6g * %s", coefficient[i],
			o->columns.feature[i]);
	fprintf(out, " %+.6g\n", coefficient[fit->n_features]);
}

static void write_model(const struct options *o, const struct spot_model *m, FILE *out)
{
	fprintf(out, "%-8s mean absolute error %.4g +- %.2g\n", pl_regress_kind_name[m->fit.kind],
		m->error.mae, m->error.spread);
	if (m->fit.svr)
		fprintf(out, "  %zu vectors, cost %g, epsilon %g, gamma %g\n",
			pl_svr_vectors(m->fit.svr), m->fit.options.cost, m->fit.options.epsilon,
			m->fit.options.gamma);
	else
		write_equation(o, &m->fit, out);
	if (o->n_at)
		fprintf(out, "  predicted %.6g\n", pl_regress_at(&m->fit, o->at));
}

static json_t *model_json(const struct options *o, const struct spot_model *m)
{
	json_t *all = json_pack("{ss sf sf}", "model", pl_regress_kind_name[m->fit.kind], "mae",
				m->error.mae, "spread", m->error.spread);

	if (m->fit.svr) {
		pl_obj_set(&all, "vectors", json_integer((json_int_t)pl_svr_vectors(m->fit.svr)));
		pl_obj_set(&all, "cost", json_real(m->fit.options.cost));
		pl_obj_set(&all, "epsilon", json_real(m->fit.options.epsilon));
		pl_obj_set(&all, "gamma", json_real(m->fit.options.gamma));
	} else {
		double coefficient[PL_FEATURES_MAX + 1];
		json_t *list = json_array();

		pl_regress_coefficients(&m->fit, coefficient);
		for (size_t i = 0; i <= m->fit.n_features; i++)
			pl_list_add(&list, json_real(coefficient[i]));
		pl_obj_set(&all, "coefficients", list);
	}
	pl_obj_set(&all, "predicted",
		   o->n_at ? json_real(pl_regress_at(&m->fit, o->at)) : json_null());
	return all;
}

/* Is this kind asked for, and different from the others? */
static bool wants(const struct options *o, enum pl_regress_kind kind)
{
	if (o->model != MODELS_ALL)
		return (int)kind == o->model;
	if (kind == PL_REGRESS_PCA)
		return o->columns.n_features > 2;
	return kind == PL_REGRESS_LINEAR || pl_svr_is_built_in();
}

struct best {
	double mae, predicted; /* of the model with the least error */
};

struct table {
	const struct options *o;
	struct pl_samples s;
	struct best *best;
};

static void keep_best(struct best *best, const struct options *o, const struct spot_model *m)
{
	if (!o->n_at || !(m->error.mae < best->mae))
		return;
	best->mae = m->error.mae;
	best->predicted = pl_regress_at(&m->fit, o->at);
}

static int write_all(const void *rows, FILE *out, struct pl_err *err)
{
	const struct options *o = ((const struct table *)rows)->o;
	const struct pl_samples *s = &((const struct table *)rows)->s;
	json_t *models = json_array();

	if (!o->json)
		fprintf(out, "%s: %zu rows, %zu folds, seed %llu\n", o->file, s->n,
			(size_t)o->learning.n_folds, (unsigned long long)o->learning.seed);
	for (int kind = 0; kind < PL_REGRESS_KINDS; kind++) {
		struct spot_model m = {.error = {.mae = 0}};

		if (!wants(o, kind))
			continue;
		if (spot_model_learn(&m, kind, s, &o->learning, err)) {
			json_decref(models);
			return -1;
		}
		if (o->json)
			pl_list_add(&models, model_json(o, &m));
		else
			write_model(o, &m, out);
		keep_best(((const struct table *)rows)->best, o, &m);
		pl_regress_fini(&m.fit);
	}
	if (o->json)
		return pl_tool_json_write(SPOT_TOOL,
					  json_pack("{sI sI so}", "rows", (json_int_t)s->n, "folds",
						    (json_int_t)o->learning.n_folds, "models",
						    models),
					  out, err);
	json_decref(models);
	return 0;
}

/* The features of the model, as its profile has them. */
static int take_features_of(struct options *o, struct pl_err *err)
{
	struct pl_profile_numbers numbers = {0};

	if (pl_profile_numbers_read(&numbers, o->profile, err))
		return -1;
	while (o->n_at < o->columns.n_features) {
		const char *name = o->columns.feature[o->n_at];
		const struct pl_profile_number *number =
			pl_profile_number_find(&numbers, name, NULL);

		if (!number) {
			pl_profile_numbers_fini(&numbers);
			return pl_err_set(err, PL_EINPUT, "%s has no number \"%s\": give --at",
					  o->profile, name);
		}
		o->at[o->n_at++] = number->value;
	}
	pl_profile_numbers_fini(&numbers);
	return 0;
}

/* The seconds of a step go into the profile. */
static int note_step(const struct options *o, const struct best *best, struct pl_err *err)
{
	const struct pl_profile_noted noted = {
		.name = "step_s",
		.instance = o->instance,
		.value = best->predicted,
		.origin = PL_ORIGIN_FITTED,
		.with = "plink-spot fit",
	};

	return pl_profile_note(o->profile, &noted, 1, err);
}

static int run(struct options *o)
{
	struct best best = {.mae = INFINITY};
	struct table t = {.o = o, .best = &best};
	struct pl_err err = {0};
	int status;

	if (o->profile && take_features_of(o, &err))
		return pl_tool_fail(SPOT_TOOL, &err);
	if (pl_samples_read(&t.s, o->file, &o->columns, &err))
		return pl_tool_fail(SPOT_TOOL, &err);
	status = pl_tool_output(SPOT_TOOL, o->output, write_all, &t);
	pl_samples_fini(&t.s);
	if (status == PL_EXIT_DONE && o->profile && note_step(o, &best, &err))
		status = pl_tool_fail(SPOT_TOOL, &err);
	return status;
}

int spot_fit_main(int argc, char **argv)
{
	struct options o;
	int status = parse_options(&o, argc, argv);

	if (status == PL_EXIT_DONE && !o.done)
		status = run(&o);
	free(o.names);
	return status;
}

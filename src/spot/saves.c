/* SPDX-License-Identifier: BSD-3-Clause */
/* saves.c - how long a checkpoint takes, learned from the sizes of its files */
#include "config.h"

#include "src/spot/saves.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "src/common/json.h"

#include <math.h>

enum { DATA, META, INDEX };

/* S_c is the sum of all sizes, S_d, S_m and S_i are each. */
static void sum(const double *size, double *x)
{
	x[0] = size[DATA] + size[META] + size[INDEX];
}

static void two(const double *size, double *x)
{
	x[0] = size[DATA];
	x[1] = size[META];
}

static void three(const double *size, double *x)
{
	two(size, x);
	x[2] = size[INDEX];
}

static const struct {
	const char *name, *does;
	enum pl_regress_kind kind;
	size_t n_features;
	void (*features)(const double *size, double *x);
} models[SPOT_SAVE_MODELS] = {
	{"i", "linear, all files", PL_REGRESS_LINEAR, 1, sum},
	{"ii", "linear, data and meta", PL_REGRESS_LINEAR, 2, two},
	{"iii", "linear, two components", PL_REGRESS_PCA, 3, three},
	{"iv", "support vectors, all files", PL_REGRESS_RBF, 1, sum},
};

int spot_take_sizes(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct spot_saves_options *to = pl_option_to(o, option);

	if (spot_take_values(to->size, &to->n_sizes, option, value, err))
		return -1;
	if (to->n_sizes == SPOT_SAVE_SIZES)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--%s wants the sizes of data, meta and index, not \"%s\"", option->name,
			  value);
}

/* The samples with another model's features. */
static int derive(struct pl_samples *to, const struct pl_samples *from, size_t k)
{
	const size_t f = models[k].n_features;

	*to = (struct pl_samples){.n = from->n, .n_features = f};
	to->x = pl_array_create(from->n * f, sizeof(*to->x));
	to->y = pl_array_create(from->n, sizeof(*to->y));
	if (!to->x || !to->y)
		return -1;
	for (size_t i = 0; i < from->n; i++) {
		models[k].features(from->x + i * SPOT_SAVE_SIZES, to->x + i * f);
		to->y[i] = from->y[i];
	}
	return 0;
}

static int learn_one(struct spot_saves *saves, const struct pl_samples *s, size_t k,
		     const struct spot_saves_options *o, uint64_t seed, struct pl_err *err)
{
	const struct spot_learning learning = {
		.n_folds = o->learning.n_folds,
		.seed = seed,
		.unscaled = o->learning.unscaled,
	};
	struct spot_model m = {.error = {.mae = 0}};
	struct pl_samples derived;
	double x[SPOT_SAVE_SIZES];
	int rc;

	if (models[k].kind == PL_REGRESS_RBF && !pl_svr_is_built_in())
		return 0;
	if (derive(&derived, s, k)) {
		pl_samples_fini(&derived);
		return pl_err_nomem(err);
	}
	rc = spot_model_learn(&m, models[k].kind, &derived, &learning, err);
	pl_samples_fini(&derived);
	if (rc)
		return -1;
	models[k].features(o->size, x);
	saves->model[k].known = true;
	saves->model[k].error = m.error;
	saves->model[k].predicted_s = pl_regress_at(&m.fit, x);
	pl_regress_fini(&m.fit);
	return 0;
}

int spot_saves_learn(struct spot_saves *saves, const struct spot_saves_options *o, uint64_t seed,
		     struct pl_err *err)
{
	static const struct pl_columns columns = {
		.feature = {"data", "meta", "index"},
		.n_features = SPOT_SAVE_SIZES,
		.target = "seconds",
	};
	struct pl_samples s = {0};
	int rc = pl_samples_read(&s, o->samples, &columns, err);

	*saves = (struct spot_saves){.n_rows = s.n, .n_folds = o->learning.n_folds};
	for (size_t k = 0; rc == 0 && k < SPOT_SAVE_MODELS; k++)
		rc = learn_one(saves, &s, k, o, seed, err);
	pl_samples_fini(&s);
	for (size_t k = 1; k < SPOT_SAVE_MODELS; k++)
		if (saves->model[k].known &&
		    saves->model[k].error.mae < saves->model[saves->best].error.mae)
			saves->best = k;
	saves->best_s = fmax(saves->model[saves->best].predicted_s, 0);
	return rc;
}

void spot_saves_write(const struct spot_saves *saves, FILE *out)
{
	fprintf(out,
		"checkpoints: %zu rows, %zu folds: mean absolute error, and this one predicted\n",
		saves->n_rows, saves->n_folds);
	for (size_t k = 0; k < SPOT_SAVE_MODELS; k++)
		if (saves->model[k].known)
			fprintf(out, "%-4s %-27s %.3g s +- %.2g, %.4g s%s\n", models[k].name,
				models[k].does, saves->model[k].error.mae,
				saves->model[k].error.spread, saves->model[k].predicted_s,
				k == saves->best ? "  <- used" : "");
}

json_t *spot_saves_json(const struct spot_saves *saves)
{
	json_t *all = json_array();

	for (size_t k = 0; k < SPOT_SAVE_MODELS; k++)
		if (saves->model[k].known)
			pl_list_add(&all, json_pack("{ss sf sf sf sb}", "model", models[k].name,
						    "mae_s", saves->model[k].error.mae, "spread_s",
						    saves->model[k].error.spread, "predicted_s",
						    saves->model[k].predicted_s, "used",
						    k == saves->best));
	return all;
}

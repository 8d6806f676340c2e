/* SPDX-License-Identifier: BSD-3-Clause */
/* train.c - plink-srift train: bandwidths learned from a grid of
 * measurements */
#include "config.h"

#include "src/srift/train.h"

#include "base/clock.h"
#include "base/text/outfile.h"
#include "src/common/json.h"
#include "src/common/progress.h"
#include "src/common/tool.h"
#include "src/srift/options.h"
#include "src/srift/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PERCENT 100

struct result {
	struct pl_learned model;
	size_t n_rows;
	double seconds;
};

static void write_half(const struct pl_learned *m, enum pl_half half, FILE *out)
{
	const struct pl_learned_half *h = &m->half[half];
	const struct pl_boost_fit *f = &h->fit;

	fprintf(out, "%s      ", pl_half_name[half]);
	if (!h->boost) {
		fprintf(out, "no rows, no model\n");
		return;
	}
	fprintf(out, "at %s %" PRIu64 " bytes: %zu rows to learn from, %zu withheld\n",
		half == PL_HALF_SMALL ? "most" : "least", m->mtu_bytes, h->n_rows, h->n_test);
	fprintf(out,
		"  tried    %zu combinations; the best has a MAPE of %.2f %% in the mean of %zu "
		"folds, %.2f to %.2f %%\n",
		f->n_tried, PERCENT * f->mape, h->n_folds, PERCENT * f->mape_least,
		PERCENT * f->mape_most);
	fprintf(out, "  chosen   %zu trees, depth %zu, rate %g, min-weight %g", f->n_trees,
		f->params.depth, f->params.rate, f->params.min_weight);
	if (f->params.slope > 0)
		fprintf(out, ", slope %g", f->params.slope);
	fprintf(out, "\n  withheld MAPE %.2f %%\n", PERCENT * h->mape);
}

static void write_text(const struct srift_train_options *o, const struct result *r, FILE *out)
{
	fprintf(out, "%s: %zu rows, %zu machine%s; seed %" PRIu64 ", %zu folds, XGBoost %s\n",
		o->grid, r->n_rows, r->model.n_machines, r->model.n_machines == 1 ? "" : "s",
		o->learned.seed, o->learned.search.n_folds, pl_boost_version());
	for (int i = 0; i < PL_HALVES; i++)
		write_half(&r->model, i, out);
	fprintf(out, "%s: written after %.3g s\n", o->model, r->seconds);
}

static json_t *half_json(const struct pl_learned_half *h)
{
	const struct pl_boost_fit *f = &h->fit;

	if (!h->boost)
		return json_null();
	return json_pack("{sI sI sI sI sf sf sf sf sI sI sf sf sf}", "rows", (json_int_t)h->n_rows,
			 "withheld", (json_int_t)h->n_test, "folds", (json_int_t)h->n_folds,
			 "tried", (json_int_t)f->n_tried, "cv_mape", f->mape, "cv_mape_least",
			 f->mape_least, "cv_mape_most", f->mape_most, "mape", h->mape, "trees",
			 (json_int_t)f->n_trees, "depth", (json_int_t)f->params.depth, "rate",
			 f->params.rate, "min_weight", f->params.min_weight, "slope",
			 f->params.slope);
}

static int write_json(const struct srift_train_options *o, const struct result *r,
		      struct pl_err *err)
{
	json_t *all = json_pack(
		"{sI sI sI sI ss so so sf}", "rows", (json_int_t)r->n_rows, "machines",
		(json_int_t)r->model.n_machines, "mtu_bytes", (json_int_t)r->model.mtu_bytes,
		"folds", (json_int_t)o->learned.search.n_folds, "xgboost", pl_boost_version(),
		pl_half_name[PL_HALF_SMALL], half_json(&r->model.half[PL_HALF_SMALL]),
		pl_half_name[PL_HALF_LARGE], half_json(&r->model.half[PL_HALF_LARGE]), "seconds",
		r->seconds);
	char seed[32];

	/* beyond what JSON readers keep of a number */
	snprintf(seed, sizeof(seed), "%" PRIu64, o->learned.seed);
	pl_obj_set(&all, "seed", pl_tool_json_text(seed));
	return pl_tool_json_write(SRIFT_TOOL, all, stdout, err);
}

static void tell(void *progress, double share)
{
	pl_progress_show(progress, (struct pl_progress_now){.phase = "training",
							    .done = (uint64_t)(PERCENT * share),
							    .total = PERCENT,
							    .unit = "per cent",
							    .left_s = NAN});
}

static int learn(struct result *r, const struct srift_train_options *o, struct pl_err *err)
{
	struct pl_progress line;
	const struct pl_boost_progress progress = {.tell = tell, .arg = &line};
	struct pl_learned_options options = o->learned;
	struct pl_grid grid = {0};
	int rc;

	pl_progress_begin(&line, SRIFT_TOOL);
	options.progress = line.on ? &progress : NULL;
	if (pl_grid_read(&grid, o->grid, err))
		return -1;
	r->n_rows = grid.n_rows;
	rc = pl_learned_train(&r->model, &grid, &options, err);
	pl_progress_end(&line);
	pl_grid_fini(&grid);
	return rc;
}

static int train(struct result *r, const struct srift_train_options *o, struct pl_err *err)
{
	const int64_t start = pl_clock_ns();
	struct pl_outfile out = {0};
	int rc = -1;

	/* before the work, not after it: the file may be out of reach */
	if (pl_outfile_try(o->model, err) || learn(r, o, err) ||
	    pl_outfile_open(&out, o->model, err))
		return -1;
	if (pl_learned_write(&r->model, out.f, err) == 0)
		rc = pl_outfile_commit(&out, err);
	pl_outfile_abort(&out);
	r->seconds = (double)(pl_clock_ns() - start) / 1e9;
	return rc;
}

int srift_train(int argc, char **argv)
{
	struct srift_train_options options;
	struct result result = {0};
	struct pl_err err = {0};
	const int status = srift_train_options_parse(&options, argc, argv);
	int rc;

	if (status != PL_EXIT_DONE || options.done)
		return status;
	rc = train(&result, &options, &err);
	if (rc == 0 && options.json)
		rc = write_json(&options, &result, &err);
	else if (rc == 0)
		write_text(&options, &result, strcmp(options.model, "-") == 0 ? stderr : stdout);
	pl_learned_fini(&result.model);
	return rc ? pl_tool_fail(SRIFT_TOOL, &err) : pl_tool_end_output(SRIFT_TOOL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* learned-read.c - models of bandwidths from a file, whole or not at all */
#include "config.h"

#include "planner/srift/learned/parts.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "planner/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)512 << 20)
#define MACHINES_MAX 100000
#define BASE_MAX 100

/* Checks by the first line that the rest is what was written. */
static int check_sum(struct pl_text *text, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_word magic, version, sum;
	char right[PL_MODEL_DIGEST_CHARS];
	struct pl_model_piece rest;
	struct pl_line line;

	if (!pl_text_next(text, &line) || !pl_line_next(&line, &magic) ||
	    !pl_word_is(&magic, PL_MODEL_MAGIC) || !pl_line_next(&line, &version))
		return pl_err_at(err, whole, "this is not a model of plink-srift train");
	if (!pl_word_is(&version, "1"))
		return pl_err_at(
			err, version.place, "a model of version %.*s: this plink knows version %d",
			(int)(version.len < 20 ? version.len : 20), version.s, PL_LEARNED_VERSION);
	rest = (struct pl_model_piece){text->data + text->pos, text->len - text->pos};
	if (pl_model_digest(right, &rest, 1, err))
		return -1;
	if (pl_line_next(&line, &sum) && pl_word_is(&sum, right))
		return 0;
	return pl_err_at(err, whole,
			 "the model is damaged: it was cut off or changed since it was written");
}

static int check_features(const struct pl_json_at *root, struct pl_err *err)
{
	const struct pl_json_at all = pl_json_member(root, "features");
	size_t n;

	if (pl_json_array(&all, 0, 1000, &n, err))
		return -1;
	for (size_t i = 0; i < n || i < PL_FEATURES; i++) {
		const struct pl_json_at at = pl_json_element(&all, i);
		const char *name = "no more";

		if (i < n && pl_json_string(&at, &name, err))
			return -1;
		if (i >= PL_FEATURES || strcmp(name, pl_feature_name(i)) != 0)
			return pl_json_fault(&all, err,
					     "this model was trained on other features: it has %s "
					     "where %s is wanted",
					     name,
					     i < PL_FEATURES ? pl_feature_name(i) : "no more");
	}
	return 0;
}

/* Names may be empty. */
static int take_name(const struct pl_json_at *object, const char *key, char **name,
		     struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);
	const char *s = "";

	if ((!json_is_string(at.value) || json_string_length(at.value) > 0) &&
	    pl_json_string(&at, &s, err))
		return -1;
	*name = pl_string_copy(s, strlen(s));
	return *name ? 0 : pl_err_nomem(err);
}

static int take_range(const struct pl_json_at *object, const char *key, int64_t min, int64_t max,
		      int64_t range[2], struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);
	size_t n;

	if (pl_json_array(&at, 2, 2, &n, err))
		return -1;
	for (size_t i = 0; i < 2; i++) {
		const struct pl_json_at x = pl_json_element(&at, i);

		if (pl_json_whole(&x, i ? range[0] : min, max, &range[i], err))
			return -1;
	}
	return 0;
}

static int take_ranks(struct pl_grid_machine *m, const struct pl_json_at *object,
		      struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, "ranks");
	int64_t ranks = 1;
	size_t n;

	if (pl_json_array(&at, 1, PL_GRID_COUNT_MAX, &n, err))
		return -1;
	m->ranks = pl_array_create(n, sizeof(*m->ranks));
	if (!m->ranks)
		return pl_err_nomem(err);
	for (m->n_ranks = 0; m->n_ranks < n;) {
		const struct pl_json_at x = pl_json_element(&at, m->n_ranks);

		if (pl_json_whole(&x, ranks + 1, PL_GRID_COUNT_MAX, &ranks, err))
			return -1;
		m->ranks[m->n_ranks++] = (size_t)ranks;
	}
	return 0;
}

static int take_machine(struct pl_grid_machine *m, const struct pl_json_at *at, struct pl_err *err)
{
	int64_t bytes[2], async[2];

	if (take_name(at, "instance", &m->instance, err))
		return -1;
	for (int i = 0; i < PL_GRID_TEXTS; i++)
		if (take_name(at, pl_grid_text_name[i], &m->text[i], err))
			return -1;
	for (int i = 0; i < PL_GRID_NUMBERS; i++)
		if (pl_json_number_in(at, pl_grid_number_name[i], 0, HUGE_VAL, &m->number[i], err))
			return -1;
	if (take_ranks(m, at, err) ||
	    take_range(at, "bytes", 1, (int64_t)PL_GRID_BYTES_MAX, bytes, err) ||
	    take_range(at, "async", 1, PL_GRID_COUNT_MAX, async, err))
		return -1;
	m->bytes_min = (uint64_t)bytes[0];
	m->bytes_max = (uint64_t)bytes[1];
	m->async_min = (size_t)async[0];
	m->async_max = (size_t)async[1];
	return 0;
}

static int take_machines(struct pl_learned *m, const struct pl_json_at *root, struct pl_err *err)
{
	const struct pl_json_at all = pl_json_member(root, "machines");
	size_t n;

	if (pl_json_array(&all, 1, MACHINES_MAX, &n, err))
		return -1;
	m->machine = pl_array_create(n, sizeof(*m->machine));
	if (!m->machine)
		return pl_err_nomem(err);
	for (m->n_machines = 0; m->n_machines < n;) {
		const struct pl_json_at at = pl_json_element(&all, m->n_machines);

		if (take_machine(&m->machine[m->n_machines++], &at, err))
			return -1;
	}
	return pl_categories_find(m) ? pl_err_nomem(err) : 0;
}

/* The trees' categories are numbers; these names must give the same ones. */
static int check_categories(const struct pl_learned *m, const struct pl_json_at *root,
			    struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(root, "categories");
	json_t *own = pl_model_categories(m);
	const int same = own && json_equal(own, at.value);

	json_decref(own);
	return same ? 0 : pl_json_fault(&at, err, "they are not those of its machines");
}

static int take_share(const struct pl_json_at *half, const char *key, double *share,
		      struct pl_err *err)
{
	return pl_json_number_in(half, key, 0, HUGE_VAL, share, err);
}

static int take_count(const struct pl_json_at *half, const char *key, size_t *count,
		      struct pl_err *err)
{
	uint64_t n;

	if (pl_json_whole_in(half, key, 0, INT64_MAX, &n, err))
		return -1;
	*count = (size_t)n;
	return 0;
}

/* base, least and most keep exp() of what is told within a double. */
static int take_scale(struct pl_learned_half *h, const struct pl_json_at *half, struct pl_err *err)
{
	double least, most;

	if (pl_json_number_in(half, "base", -BASE_MAX, BASE_MAX, &h->base, err) ||
	    pl_json_number_in(half, "least", -BASE_MAX, BASE_MAX, &least, err) ||
	    pl_json_number_in(half, "most", least, BASE_MAX, &most, err))
		return -1;
	h->least = (float)least;
	h->most = (float)most;
	return 0;
}

static int take_half(struct pl_learned_half *h, const struct pl_json_at *half, struct pl_err *err)
{
	struct pl_boost_fit *f = &h->fit;

	return take_scale(h, half, err) || take_count(half, "rows", &h->n_rows, err) ||
			       take_count(half, "withheld", &h->n_test, err) ||
			       take_share(half, "mape", &h->mape, err) ||
			       take_share(half, "cv_mape", &f->mape, err) ||
			       take_share(half, "cv_mape_least", &f->mape_least, err) ||
			       take_share(half, "cv_mape_most", &f->mape_most, err) ||
			       take_count(half, "trees", &f->n_trees, err) ||
			       take_share(half, "slope", &f->params.slope, err) ||
			       take_share(half, "rate", &f->params.rate, err) ||
			       take_share(half, "min_weight", &f->params.min_weight, err) ||
			       take_count(half, "depth", &f->params.depth, err)
		       ? -1
		       : 0;
}

static int take_header(struct pl_learned *m, const struct pl_json *doc, struct pl_err *err)
{
	const struct pl_json_at root = pl_json_root(doc);

	if (check_features(&root, err) || take_machines(m, &root, err) ||
	    check_categories(m, &root, err) ||
	    pl_json_whole_in(&root, "mtu_bytes", 1, (int64_t)PL_GRID_BYTES_MAX, &m->mtu_bytes, err))
		return -1;
	for (int i = 0; i < PL_HALVES; i++) {
		const struct pl_json_at half = pl_json_member(&root, pl_half_name[i]);

		if (!json_is_null(half.value) && take_half(&m->half[i], &half, err))
			return -1;
	}
	return 0;
}

static int read_header(struct pl_learned *m, const char *name, const struct pl_line *line,
		       struct pl_err *err)
{
	struct pl_text copy;
	struct pl_json doc = {0};
	int rc = -1;

	if (pl_text_copy(&copy, name, line->s, line->len, err))
		return -1;
	if (pl_json_parse(&doc, &copy, err) == 0)
		rc = take_header(m, &doc, err);
	pl_json_fini(&doc);
	pl_text_fini(&copy);
	if (rc && err && err->line == 1)
		err->line = line->number;
	return rc;
}

/* The line's trees, and a word about where they stand if they are none. */
static int read_trees(struct pl_boost **boost, const struct pl_line *line, struct pl_err *err)
{
	struct pl_err why = {0};

	if (line->len == 4 && memcmp(line->s, "null", 4) == 0)
		return 0;
	if (pl_trees_check(line->s, line->len, PL_FEATURES, &why) == 0) {
		*boost = pl_boost_load(line->s, line->len, PL_FEATURES, &why);
		if (*boost)
			return 0;
	}
	return why.code == PL_EINPUT ? pl_err_at(err, pl_line_place(line), "%s", why.text)
				     : pl_err_set(err, why.code, "%s", why.text);
}

static int parse(struct pl_learned *m, struct pl_text *text, struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	struct pl_line line;

	if (check_sum(text, err))
		return -1;
	if (!pl_text_next(text, &line))
		return pl_err_at(err, whole, "the model is empty");
	if (read_header(m, text->name, &line, err))
		return -1;
	for (int i = 0; i < PL_HALVES; i++) {
		if (!pl_text_next(text, &line))
			return pl_err_at(err, whole, "a model without trees");
		if (read_trees(&m->half[i].boost, &line, err))
			return -1;
	}
	if (!m->half[PL_HALF_SMALL].boost && !m->half[PL_HALF_LARGE].boost)
		return pl_err_at(err, whole, "a model without trees");
	return 0;
}

int pl_learned_parse(struct pl_learned *m, struct pl_text *text, struct pl_err *err)
{
	const int rc = parse(m, text, err);

	if (rc)
		pl_learned_fini(m);
	return rc;
}

int pl_learned_read(struct pl_learned *m, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, FILE_MAX, err))
		return -1;
	rc = pl_learned_parse(m, &text, err);
	if (rc)
		pl_kind_blame(&text, "a model of plink-srift train", err);
	pl_text_fini(&text);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - a trace of how many spot machines were up, tick by tick */
#include "config.h"

#include "planner/transient/trace.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/text/kind.h"
#include "planner/catalogue/catalogue.h"
#include "planner/json.h"

#include <math.h>
#include <stdlib.h>

#define TEXT_MAX ((size_t)256 << 20)
#define TICKS_MAX 10000000
#define GAP_MAX_S 1e6

void pl_spot_trace_fini(struct pl_spot_trace *trace)
{
	free(trace->count);
	free(trace->price);
	*trace = (struct pl_spot_trace){0};
}

static int take_counts(struct pl_spot_trace *trace, const struct pl_json_at *root,
		       struct pl_err *err)
{
	const struct pl_json_at data = pl_json_member(root, "data");

	if (pl_json_array(&data, 1, TICKS_MAX, &trace->n, err))
		return -1;
	trace->count = pl_array_create(trace->n, sizeof(*trace->count));
	if (!trace->count)
		return pl_err_nomem(err);
	for (size_t i = 0; i < trace->n; i++) {
		const struct pl_json_at at = pl_json_element(&data, i);
		int64_t count;

		if (pl_json_whole(&at, 0, PL_SPOT_TRACE_COUNT_MAX, &count, err))
			return -1;
		trace->count[i] = (size_t)count;
	}
	return 0;
}

static int take_prices(struct pl_spot_trace *trace, const struct pl_json_at *root,
		       struct pl_err *err)
{
	const struct pl_json_at prices = pl_json_member(root, "prices");
	size_t n;

	if (!prices.value || json_is_null(prices.value))
		return 0;
	if (pl_json_array(&prices, trace->n, trace->n, &n, err))
		return -1;
	trace->price = pl_array_create(n, sizeof(*trace->price));
	if (!trace->price)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const struct pl_json_at at = pl_json_element(&prices, i);

		if (pl_json_number(&at, 0, PL_PRICE_MAX, &trace->price[i], err))
			return -1;
	}
	return 0;
}

int pl_spot_trace_parse(struct pl_spot_trace *trace, const struct pl_text *text, struct pl_err *err)
{
	struct pl_json doc = {0};
	struct pl_json_at root, metadata;
	int rc = -1;

	if (pl_json_parse(&doc, text, err))
		return -1;
	root = pl_json_root(&doc);
	metadata = pl_json_member(&root, "metadata");
	if (pl_json_object(&root, NULL, err) == 0 && pl_json_object(&metadata, NULL, err) == 0 &&
	    pl_json_number_in(&metadata, "gap_seconds", 1e-3, GAP_MAX_S, &trace->gap_s, err) == 0)
		rc = take_counts(trace, &root, err) || take_prices(trace, &root, err) ? -1 : 0;
	pl_json_fini(&doc);
	if (rc)
		pl_spot_trace_fini(trace);
	return rc;
}

int pl_spot_trace_read(struct pl_spot_trace *trace, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_spot_trace_parse(trace, &text, err),
			     "a trace of spot machines", err);
}

void pl_trace_lives_fini(struct pl_spot_trace_lives *lives)
{
	free(lives->life);
	free(lives->wait_s);
	*lives = (struct pl_spot_trace_lives){0};
}

/* Ticks at which machines came up, and at which others were lost. */
struct ticks {
	size_t *up, *gone;
	size_t n_up, n_gone, n_replaced;
	struct pl_rng rng;
};

static size_t count_at(const struct pl_spot_trace *trace, const struct pl_spot_trace_part *part,
		       size_t i)
{
	return part->together ? trace->count[i] >= part->together : trace->count[i];
}

static void end_life(struct pl_spot_trace_lives *lives, struct ticks *t, size_t k, double gap_s,
		     size_t now, bool lost)
{
	lives->life[lives->n++] = (struct pl_life){
		.s = (double)(now - t->up[k]) * gap_s,
		.lost = lost,
		.start_h = NAN,
	};
	t->up[k] = t->up[--t->n_up];
}

static void follow(struct pl_spot_trace_lives *lives, const struct pl_spot_trace *trace,
		   const struct pl_spot_trace_part *part, struct ticks *t)
{
	const double gap_s = trace->gap_s;

	for (size_t i = part->from; i < part->to; i++) {
		const size_t count = count_at(trace, part, i);

		while (t->n_up > count) {
			end_life(lives, t, pl_rng_below(&t->rng, t->n_up), gap_s, i, true);
			t->gone[t->n_gone++] = i;
		}
		while (t->n_up < count) {
			t->up[t->n_up++] = i;
			if (t->n_replaced < t->n_gone)
				lives->wait_s[lives->n_waits++] =
					(double)(i - t->gone[t->n_replaced++]) * gap_s;
		}
	}
	while (t->n_up > 0)
		end_life(lives, t, 0, gap_s, part->to, false);
}

int pl_spot_trace_follow(struct pl_spot_trace_lives *lives, const struct pl_spot_trace *trace,
			 const struct pl_spot_trace_part *part, struct pl_err *err)
{
	struct ticks t = {.n_up = 0};
	size_t n = 0, before = 0;
	int rc = 0;

	for (size_t i = part->from; i < part->to; i++) {
		const size_t count = count_at(trace, part, i);

		n += count > before ? count - before : 0;
		before = count;
	}
	pl_rng_init(&t.rng, part->seed, 0);
	t.up = pl_array_create(n, sizeof(*t.up));
	t.gone = pl_array_create(n, sizeof(*t.gone));
	lives->life = pl_array_create(n, sizeof(*lives->life));
	lives->wait_s = pl_array_create(n, sizeof(*lives->wait_s));
	if (t.up && t.gone && lives->life && lives->wait_s)
		follow(lives, trace, part, &t);
	else
		rc = pl_err_nomem(err);
	free(t.up);
	free(t.gone);
	if (rc)
		pl_trace_lives_fini(lives);
	return rc;
}

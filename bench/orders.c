/* SPDX-License-Identifier: BSD-3-Clause */
/* orders.c - what a run of bench/end-to-end measured: orders, costs, times */
#include "config.h"

#include "bench/orders.h"

#include "base/matrix/matrix.h"
#include "base/mem.h"
#include "base/stats.h"
#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ptrdiff_t find_order(const struct bench_orders *all, const char *name, size_t len)
{
	for (size_t i = 0; i < all->n_orders; i++)
		if (strlen(all->order[i].name) == len && !memcmp(all->order[i].name, name, len))
			return (ptrdiff_t)i;
	return -1;
}

ptrdiff_t bench_orders_find(const struct bench_orders *all, const char *name)
{
	return find_order(all, name, strlen(name));
}

static int no_more(struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	return pl_err_at(err, word.place, "what is \"%.*s\"?", (int)word.len, word.s);
}

/* A positive number, the next word of the line. */
static int next_positive(struct pl_line *line, const char *what, double *out, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return pl_err_at(err, pl_line_place(line), "%s is missing", what);
	if (pl_double_parse(word.s, word.len, out) || !(*out > 0))
		return pl_err_at(err, word.place, "%s is no positive number: \"%.*s\"", what,
				 (int)word.len, word.s);
	return 0;
}

static int next_word(struct pl_line *line, const char *what, struct pl_word *word,
		     struct pl_err *err)
{
	if (pl_line_next(line, word))
		return 0;
	return pl_err_at(err, pl_line_place(line), "%s is missing", what);
}

static int parse_order(struct bench_orders *all, struct pl_line *line, struct pl_err *err)
{
	struct bench_order order = {0};
	struct pl_word name;

	if (next_word(line, "the order's name", &name, err))
		return -1;
	if (find_order(all, name.s, name.len) >= 0)
		return pl_err_at(err, name.place, "order \"%.*s\" twice", (int)name.len, name.s);
	if (next_positive(line, "the cost", &order.cost, err) || no_more(line, err))
		return -1;
	order.name = pl_string_copy(name.s, name.len);
	if (!order.name ||
	    pl_array_grow((void **)&all->order, &all->orders_room, all->n_orders, sizeof(order))) {
		free(order.name);
		return pl_err_nomem(err);
	}
	all->order[all->n_orders++] = order;
	return 0;
}

/* A size seen for the first time is kept. */
static int note_size(struct bench_orders *all, int64_t size_bytes, struct pl_err *err)
{
	for (size_t i = 0; i < all->n_sizes; i++)
		if (all->size_bytes[i] == size_bytes)
			return 0;
	if (pl_array_grow((void **)&all->size_bytes, &all->sizes_room, all->n_sizes,
			  sizeof(*all->size_bytes)))
		return pl_err_nomem(err);
	all->size_bytes[all->n_sizes++] = size_bytes;
	return 0;
}

static int parse_times(struct bench_run *run, struct pl_line *line, struct pl_err *err)
{
	struct pl_line peek = *line;
	struct pl_word word;
	size_t n = 0;

	while (pl_line_next(&peek, &word))
		n++;
	run->us = pl_array_create(n, sizeof(*run->us));
	if (!run->us)
		return pl_err_nomem(err);
	do
		if (next_positive(line, "the time", &run->us[run->n_us], err))
			return -1;
	while (++run->n_us < n);
	return 0;
}

static int parse_run_head(const struct bench_orders *all, struct bench_run *run,
			  struct pl_line *line, struct pl_err *err)
{
	struct pl_word name, size;
	ptrdiff_t order;

	if (next_word(line, "the order's name", &name, err) ||
	    next_word(line, "the size", &size, err))
		return -1;
	order = find_order(all, name.s, name.len);
	if (order < 0)
		return pl_err_at(err, name.place, "no order \"%.*s\" before", (int)name.len,
				 name.s);
	if (pl_int_parse(size.s, size.len, 1, INT64_MAX, &run->size_bytes))
		return pl_err_at(err, size.place, "\"%.*s\" is no size", (int)size.len, size.s);
	run->order = (size_t)order;
	return 0;
}

static int parse_run(struct bench_orders *all, struct pl_line *line, struct pl_err *err)
{
	struct bench_run run = {0};

	if (parse_run_head(all, &run, line, err) || parse_times(&run, line, err) ||
	    note_size(all, run.size_bytes, err))
		goto fail;
	if (pl_array_grow((void **)&all->run, &all->runs_room, all->n_runs, sizeof(run))) {
		pl_err_nomem(err);
		goto fail;
	}
	all->run[all->n_runs++] = run;
	return 0;
fail:
	free(run.us);
	return -1;
}

static int parse_unit(struct bench_orders *all, struct pl_line *line, struct pl_err *err)
{
	enum pl_unit unit;
	struct pl_word word;

	if (next_word(line, "the unit", &word, err) || no_more(line, err))
		return -1;
	if (all->unit_ms > 0)
		return pl_err_at(err, word.place, "unit twice");
	if (pl_unit_parse(word.s, word.len, &unit) || !(pl_unit_ns(unit) > 0))
		return pl_err_at(err, word.place, "no unit of time: \"%.*s\"", (int)word.len,
				 word.s);
	all->unit_ms = pl_unit_ns(unit) * 1e-6;
	return 0;
}

static int parse_line(struct bench_orders *all, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word) || *word.s == '#')
		return 0;
	if (pl_word_is(&word, "order"))
		return parse_order(all, line, err);
	if (pl_word_is(&word, "time"))
		return parse_run(all, line, err);
	if (pl_word_is(&word, "unit"))
		return parse_unit(all, line, err);
	return pl_err_at(err, word.place, "neither order, time nor unit: \"%.*s\"", (int)word.len,
			 word.s);
}

int bench_orders_parse(struct bench_orders *all, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	while (pl_text_next(text, &line))
		if (parse_line(all, &line, err)) {
			bench_orders_fini(all);
			return -1;
		}
	if (all->n_orders)
		return 0;
	bench_orders_fini(all);
	return pl_err_at(err, (struct pl_place){.file = text->name}, "no order");
}

void bench_orders_fini(struct bench_orders *all)
{
	for (size_t i = 0; i < all->n_orders; i++)
		free(all->order[i].name);
	for (size_t i = 0; i < all->n_runs; i++)
		free(all->run[i].us);
	free(all->order);
	free(all->run);
	free(all->size_bytes);
	*all = (struct bench_orders){0};
}

static double least(const double *v, size_t n)
{
	double min = v[0];

	for (size_t i = 1; i < n; i++)
		min = fmin(min, v[i]);
	return min;
}

int bench_orders_times(const struct bench_orders *all, size_t order, int64_t size_bytes,
		       struct bench_times *times, struct pl_err *err)
{
	double *us, top_us = 0;
	size_t n = 0;

	*times = (struct bench_times){.min_us = NAN, .median_us = NAN, .spread = NAN};
	for (size_t i = 0; i < all->n_runs; i++)
		n += all->run[i].n_us;
	us = pl_array_create(n, sizeof(*us));
	if (!us)
		return pl_err_nomem(err);
	n = 0;
	for (size_t i = 0; i < all->n_runs; i++) {
		const struct bench_run *run = &all->run[i];

		if (run->order != order || run->size_bytes != size_bytes)
			continue;
		memcpy(us + n, run->us, run->n_us * sizeof(*us));
		n += run->n_us;
		top_us = fmax(top_us, least(run->us, run->n_us));
		times->n_runs++;
	}
	times->median_us = pl_median(us, n);
	if (n)
		times->min_us = us[0];
	times->spread = top_us / times->min_us - 1;
	free(us);
	return 0;
}

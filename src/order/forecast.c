/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.c - --predict: every algorithm of a library, at several sizes */
#include "config.h"

#include "src/order/forecast.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/model.h"
#include "order/solve.h"
#include "src/order/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all rows. */
struct work {
	struct pl_reorder_forecast *f;
	struct pl_order_forecaster caster;
	const struct pl_order_input *in;
	const struct pl_reorder_options *o;
	const struct pl_stop *stop;
	size_t *given;         /* [hosts.n] */
	const size_t *written; /* [hosts.n] the order that is written */
};

/* The last order found for an algorithm, and that algorithm. */
struct last {
	struct pl_order_model m;
	const size_t *host_at; /* NULL: none yet */
};

void pl_reorder_forecast_fini(struct pl_reorder_forecast *f)
{
	for (size_t i = 0; f->row && i < f->n_sizes * f->n_algorithms; i++)
		free(f->row[i].host_at);
	free(f->row);
	memset(f, 0, sizeof(*f));
}

/* Algorithm number @i of those to be predicted; NULL after the last. */
static const struct pl_algorithm *candidate(const struct pl_reorder_options *o, size_t i)
{
	const struct pl_algorithm *a;

	if (o->request.names.algorithm)
		return i == 0 ? o->request.what.a : NULL;
	for (size_t k = 0; (a = pl_catalogue_entry(k)); k++)
		if (a->collective == o->request.what.a->collective &&
		    a->impl == o->request.what.a->impl && i-- == 0)
			return a;
	return NULL;
}

static void name_row(struct pl_reorder_row *row, const struct pl_reorder_options *o,
		     const struct pl_algorithm *a, uint64_t bytes)
{
	row->what = o->request.what;
	if (!o->request.names.algorithm) {
		row->what.a = a;
		row->what.radix = 0;
		snprintf(row->what.name, sizeof(row->what.name), "%s", a->name);
	}
	row->what.has_size = a->collective != PL_BARRIER;
	row->what.bytes = bytes;
}

/* Finds the order for the row's algorithm: the last one if the hops are the same. */
static int find_order(struct work *w, struct pl_reorder_row *row, struct last *last,
		      struct pl_err *err)
{
	struct pl_reorder_options o = *w->o;
	struct pl_order_model m;
	struct pl_order_result r = {0};
	const size_t *from;
	int rc = 0;

	o.request.what = row->what;
	if (pl_order_model_init(&m, w->in, &o.request, err))
		return -1;
	row->taken = m.taken;
	if (m.taken && w->written) {
		from = w->written;
	} else if (last->host_at && pl_order_model_same(&last->m, &m)) {
		from = last->host_at;
	} else {
		rc = pl_order_solve(&r, w->in, &m, &o.request, w->stop, err);
		from = r.host_at;
	}
	if (rc == 0)
		memcpy(row->host_at, from, w->f->n_hosts * sizeof(*row->host_at));
	pl_order_result_fini(&r);
	pl_order_model_fini(&last->m);
	last->m = m;
	last->host_at = row->host_at;
	return rc;
}

static int time_row(struct work *w, struct pl_reorder_row *row, struct pl_err *err)
{
	const struct pl_order_forecaster *c = &w->caster;
	struct pl_protocol protocol;
	struct pl_pattern p = {0};
	bool guessed;
	int rc = -1;

	if (pl_protocol_of(row->what.a, row->what.radix, &protocol, err) ||
	    pl_order_pattern(c, &row->what, &p, err))
		return -1;
	if (pl_order_time(c, &p, w->given, &protocol, &row->given, err) ||
	    pl_order_guessed(c, &p, w->given, &protocol, row->given.seconds, &guessed, err))
		goto out;
	if (guessed) {
		snprintf(row->why, sizeof(row->why), PL_ORDER_GUESSED);
		row->guessed = true;
		rc = 0;
		goto out;
	}
	if (pl_order_time(c, &p, row->host_at, &protocol, &row->found, err) ||
	    pl_reorder_raise_eager(c, &p, w->given, row, err))
		goto out;
	rc = 0;
out:
	pl_pattern_fini(&p);
	return rc;
}

/* The table says where the library refuses that size. */
static int fill_row(struct work *w, struct pl_reorder_row *row, struct last *last,
		    struct pl_err *err)
{
	if (w->stop->flag && *w->stop->flag)
		return pl_err_set(err, PL_EPARTIAL, "interrupted while predicting");
	row->host_at = pl_array_create(w->f->n_hosts, sizeof(*row->host_at));
	if (!row->host_at)
		return pl_err_nomem(err);
	if (find_order(w, row, last, err) == 0 && time_row(w, row, err) == 0)
		return 0;
	if (err->code != PL_EUSAGE)
		return -1;
	snprintf(row->why, sizeof(row->why), "%.*s", (int)sizeof(row->why) - 1, err->text);
	*err = (struct pl_err){.code = PL_OK};
	return 0;
}

static int fill(struct work *w, struct pl_err *err)
{
	struct pl_reorder_forecast *f = w->f;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < f->n_algorithms; i++) {
		struct last last = {.host_at = NULL};

		for (size_t s = 0; rc == 0 && s < f->n_sizes; s++) {
			struct pl_reorder_row *row = &f->row[s * f->n_algorithms + i];

			name_row(row, w->o, candidate(w->o, i), w->o->request.size_bytes[s]);
			rc = fill_row(w, row, &last, err);
		}
		pl_order_model_fini(&last.m);
	}
	return rc;
}

static int begin(struct work *w, struct pl_err *err)
{
	struct pl_reorder_forecast *f = w->f;

	f->n_hosts = w->in->hosts.n;
	f->n_sizes = w->o->request.what.a->collective == PL_BARRIER ? 1 : w->o->request.n_sizes;
	while (candidate(w->o, f->n_algorithms))
		f->n_algorithms++;
	f->row = pl_array_create(f->n_sizes * f->n_algorithms, sizeof(*f->row));
	w->given = pl_array_create(f->n_hosts, sizeof(*w->given));
	if (!f->row || !w->given)
		return pl_err_nomem(err);
	for (size_t h = 0; h < f->n_hosts; h++)
		w->given[h] = h;
	if (pl_order_forecaster_init(&w->caster, w->in, &w->o->request, err))
		return -1;
	w->caster.stop = w->stop->flag;
	f->protocol = w->caster.protocol;
	f->call = w->o->request.what.a;
	f->n_ranks = w->caster.n_ranks;
	f->n_racks = pl_tiers_racks(&w->caster.net.tiers);
	f->has_rates = pl_order_forecaster_has_rates(&w->caster);
	return 0;
}

int pl_reorder_forecast(struct pl_reorder_forecast *f, const struct pl_order_input *in,
			const struct pl_reorder_options *o, const size_t *written,
			const struct pl_stop *stop, struct pl_err *err)
{
	struct work w = {.f = f, .in = in, .o = o, .stop = stop, .written = written};
	int rc;

	memset(f, 0, sizeof(*f));
	rc = begin(&w, err);
	if (rc == 0)
		rc = fill(&w, err);
	free(w.given);
	pl_order_forecaster_fini(&w.caster);
	if (rc)
		pl_reorder_forecast_fini(f);
	return rc;
}

bool pl_reorder_counts(const struct pl_reorder_forecast *f, const struct pl_reorder_row *row)
{
	return !*row->why && pl_algorithm_same_function(row->what.a, f->call);
}

const struct pl_reorder_row *pl_reorder_best(const struct pl_reorder_forecast *f, size_t size,
					     bool *given)
{
	const struct pl_reorder_row *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < f->n_algorithms; i++) {
		const struct pl_reorder_row *row = &f->row[size * f->n_algorithms + i];
		const bool keeps = row->given.seconds <= row->found.seconds;
		const double s = keeps ? row->given.seconds : row->found.seconds;

		/* it may be the fastest */
		if (row->guessed && pl_algorithm_same_function(row->what.a, f->call))
			return NULL;
		if (!pl_reorder_counts(f, row) || s >= least)
			continue;
		best = row;
		least = s;
		*given = keeps;
	}
	return best;
}

const struct pl_reorder_row *pl_reorder_default(const struct pl_reorder_forecast *f, size_t size)
{
	for (size_t i = 0; i < f->n_algorithms; i++) {
		const struct pl_reorder_row *row = &f->row[size * f->n_algorithms + i];

		if (row->what.a->decide && pl_reorder_counts(f, row))
			return row;
	}
	return NULL;
}

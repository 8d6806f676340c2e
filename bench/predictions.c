/* SPDX-License-Identifier: BSD-3-Clause */
/* predictions.c - orders that were timed, what was predicted, and a verdict */
#include "config.h"

#include "bench/predictions.h"
#include "bench/spearman.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void predictions_fini(struct predictions *all)
{
	for (size_t i = 0; i < all->n_orders; i++)
		free(all->order[i].host_at);
	free(all->cell);
	memset(all, 0, sizeof(*all));
}

/* The next word of a line, NULL at its end. */
static char *word(char **rest)
{
	return strtok_r(NULL, " \t\n", rest);
}

static int read_order(struct predictions *all, char **rest, const struct pl_hosts *hosts)
{
	struct order *order = &all->order[all->n_orders];
	const char *name = word(rest);
	size_t n = 0;

	if (!name || strlen(name) >= sizeof(order->name) || all->n_orders == ORDERS_MAX)
		return -1;
	strcpy(order->name, name);
	order->host_at = pl_array_create(hosts->n, sizeof(size_t));
	if (!order->host_at)
		return -1;
	all->n_orders++;
	for (const char *host; (host = word(rest)); n++) {
		const ptrdiff_t at = pl_hosts_find(hosts, host);

		if (at < 0 || n == hosts->n)
			return -1;
		order->host_at[n] = (size_t)at;
	}
	return n == hosts->n ? 0 : -1;
}

static ptrdiff_t find_order(const struct predictions *all, const char *name)
{
	for (size_t i = 0; i < all->n_orders; i++)
		if (!strcmp(all->order[i].name, name))
			return (ptrdiff_t)i;
	return -1;
}

/* The cell, a new one where there is none; NULL: too many. */
static struct cell *find_cell(struct predictions *all, int64_t setting, uint64_t bytes)
{
	struct cell *c = all->cell;

	for (; c < all->cell + all->n_cells; c++)
		if (c->setting == setting && c->bytes == bytes)
			return c;
	if (all->n_cells == CELLS_MAX)
		return NULL;
	all->n_cells++;
	c->setting = (int)setting;
	c->bytes = bytes;
	return c;
}

static int read_time(struct predictions *all, char **rest)
{
	const char *name = word(rest), *setting = word(rest);
	const char *bytes = word(rest);
	char *list = word(rest), *end = NULL;
	const ptrdiff_t order = name ? find_order(all, name) : -1;
	int64_t number;
	uint64_t size;
	struct cell *c;

	if (order < 0 || !list || pl_int_parse(setting, strlen(setting), 0, 99, &number) ||
	    pl_uint_parse(bytes, strlen(bytes), INT64_MAX, &size))
		return -1;
	c = find_cell(all, number, size);
	if (!c)
		return -1;
	for (const char *t = strtok_r(list, ",", &end); t; t = strtok_r(NULL, ",", &end)) {
		double us;

		if (pl_double_parse(t, strlen(t), &us) || !(us > 0) ||
		    c->n_times[order] == TIMES_MAX)
			return -1;
		c->time_s[order][c->n_times[order]++] = us * 1e-6;
	}
	return 0;
}

static int read_line(struct predictions *all, char *line, const struct pl_hosts *hosts)
{
	char *rest;
	const char *kind = strtok_r(line, " \t\n", &rest);

	if (!kind || kind[0] == '#' || !strcmp(kind, "done"))
		return 0;
	if (!strcmp(kind, "order"))
		return read_order(all, &rest, hosts);
	return strcmp(kind, "time") ? -1 : read_time(all, &rest);
}

/* Medians and spreads; sorts the times. */
static void summarise(struct cell *c, size_t n_orders)
{
	for (size_t i = 0; i < n_orders; i++) {
		double *t = c->time_s[i];
		const size_t n = c->n_times[i];

		if (n == 0)
			continue;
		c->measured_s[i] = pl_median(t, n);
		c->spread[i] = (t[n - 1] - t[0]) / c->measured_s[i];
	}
}

int predictions_read(struct predictions *all, const char *path, const struct pl_hosts *hosts,
		     struct pl_err *err)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	long number = 0;
	int rc = 0;

	if (!f)
		return pl_err_errno(err, "cannot open %s", path);
	all->cell = pl_array_create(CELLS_MAX, sizeof(*all->cell));
	if (!all->cell)
		rc = pl_err_nomem(err);
	while (rc == 0 && getline(&line, &room, f) >= 0) {
		number++;
		if (read_line(all, line, hosts))
			rc = pl_err_at(err, (struct pl_place){path, number, 1},
				       "neither an order nor times");
	}
	if (rc == 0 && ferror(f))
		rc = pl_err_errno(err, "cannot read %s", path);
	for (size_t i = 0; rc == 0 && i < all->n_cells; i++)
		summarise(&all->cell[i], all->n_orders);
	free(line);
	fclose(f);
	return rc;
}

bool verdict_is_overstated(const struct verdict *v)
{
	return v->promised >= 0.1 && v->kept < v->promised / 2;
}

bool verdict_is_false(const struct verdict *v)
{
	return verdict_is_overstated(v) && v->kept <= v->repeat_spread;
}

static const char *verdict_text(const struct verdict *v)
{
	if (verdict_is_false(v))
		return "FALSE PROMISE";
	if (verdict_is_overstated(v))
		return "gain overstated";
	if (!v->repeated)
		return v->error > 0.1 ? "timed once, seconds off" : "timed once";
	if (v->order_spread <= v->repeat_spread)
		return "order does not matter";
	if (!(v->tied >= 0.95))
		return v->error > 0.1 ? "rank and seconds off" : "rank off";
	return v->error > 0.1 ? "seconds off" : "good";
}

/*
 * Spearman's rho where two orders whose times y are within the spread of one another are tied with
 * each other, though perhaps not with a third: the rank of an order is how many of the others are
 * faster less how many are slower, none of those tied with it counted in either x or y. NAN where
 * all are tied.
 */
static void correlate_tied(const double *x, const double *y, struct verdict *v)
{
	double xx = 0, yy = 0, xy = 0;
	size_t same = 0;

	v->n_apart = 0;
	for (size_t i = 0; i < v->n; i++) {
		double rank_x = 0, rank_y = 0;

		for (size_t k = 0; k < v->n; k++) {
			const double slower = (y[i] > y[k] * (1 + v->repeat_spread)) -
					      (y[k] > y[i] * (1 + v->repeat_spread));
			const double predicted = (x[i] > x[k]) - (x[i] < x[k]);

			v->n_apart += slower > 0;
			same += slower > 0 && predicted > 0;
			rank_y += slower;
			rank_x += fabs(slower) * predicted;
		}
		xx += rank_x * rank_x;
		yy += rank_y * rank_y;
		xy += rank_x * rank_y;
	}
	v->tied = xy / sqrt(xx * yy);
	v->agree = (double)same / (double)v->n_apart;
}

static int correlate(const double *x, const double *y, struct verdict *v)
{
	correlate_tied(x, y, v);
	return spearman(x, y, v->n, &v->rho);
}

/* Sorts them. */
static double nine_of_ten(double *v, size_t n)
{
	pl_sort_doubles(v, n);
	return v[pl_percentile_index(n, 0.9)];
}

/* How far two measurements of the same are apart, and whether they agree on the ranks of the
 * orders. 0, or -1: no memory. */
static int compare_twins(const struct predictions *all, const struct cell *a, const struct cell *b,
			 struct verdict *v)
{
	double x[ORDERS_MAX], y[ORDERS_MAX], apart[ORDERS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < all->n_orders; i++)
		if (a->n_times[i] > 0 && b->n_times[i] > 0) {
			x[n] = a->measured_s[i];
			y[n] = b->measured_s[i];
			apart[n] = fabs(x[n] / y[n] - 1);
			n++;
		}
	if (n > 0)
		v->repeat_spread = fmax(v->repeat_spread, nine_of_ten(apart, n));
	return spearman(x, y, n, &v->again);
}

/* What the order promised to be best gains over the given one. */
static void weigh_gain(const struct predictions *all, const struct cell *cell, struct verdict *v)
{
	const ptrdiff_t given = find_order(all, "given");
	size_t best = SIZE_MAX;

	if (given < 0 || cell->n_times[given] == 0)
		return;
	for (size_t i = 0; i < all->n_orders; i++)
		if (cell->n_times[i] > 0 &&
		    (best == SIZE_MAX || cell->predicted_s[i] < cell->predicted_s[best]))
			best = i;
	v->promised = 1 - cell->predicted_s[best] / cell->predicted_s[given];
	v->kept = 1 - cell->measured_s[best] / cell->measured_s[given];
}

int judge_cell(const struct predictions *all, const struct cell *cell, const struct cell *twin,
	       struct verdict *v, struct pl_err *err)
{
	double x[ORDERS_MAX], y[ORDERS_MAX], error[ORDERS_MAX];
	double spread[ORDERS_MAX], least = INFINITY, most = 0;

	*v = (struct verdict){.again = NAN, .repeated = twin};
	for (size_t i = 0; i < all->n_orders; i++) {
		if (cell->n_times[i] == 0)
			continue;
		x[v->n] = cell->predicted_s[i];
		y[v->n] = cell->measured_s[i];
		spread[v->n] = cell->spread[i];
		error[v->n] = fabs(x[v->n] / y[v->n] - 1);
		v->repeated = v->repeated || cell->n_times[i] > 1;
		least = fmin(least, y[v->n]);
		most = fmax(most, y[v->n]);
		v->n++;
	}
	v->error = pl_median(error, v->n);
	v->repeat_spread = nine_of_ten(spread, v->n);
	v->order_spread = most / least - 1;
	if ((twin && compare_twins(all, cell, twin, v)) || correlate(x, y, v))
		return pl_err_nomem(err);
	weigh_gain(all, cell, v);
	v->text = verdict_text(v);
	return 0;
}

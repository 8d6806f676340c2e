/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic-table.c - calls, bytes between racks and between hosts, as text */
#include "config.h"

#include "src/report/traffic.h"

#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40  /* calls */
#define SIDE_MAX 8   /* racks or hosts of a table */
#define PAIRS_MAX 10 /* without such a table */
#define NAME 15      /* columns, of 80 */
#define NUMBER 7

static int more_time(const void *a, const void *b)
{
	const struct pl_stats_line *x = a, *y = b;
	const double p = isnan(x->seconds) ? 0 : x->seconds;
	const double q = isnan(y->seconds) ? 0 : y->seconds;

	return p > q ? -1 : p < q;
}

/* The kinds of calls that took most time. */
static int write_calls(void *traffic, FILE *out)
{
	struct pl_stats *s = &((struct traffic *)traffic)->stats;
	char number[PL_REPORT_NUMBER], mean[PL_REPORT_NUMBER];

	qsort(s->row, s->n, sizeof(*s->row), more_time);
	fprintf(out, "%-32s %6s %8s %8s %8s %10s\n", "collective", "ranks", "calls", "of", "bytes",
		"a process");
	for (size_t i = 0; i < s->n && i < ROWS_MAX; i++) {
		const struct pl_stats_line *row = &s->row[i];
		char what[64], time[PL_REPORT_NUMBER];

		snprintf(what, sizeof(what), "%s, %s", row->function, row->kind);
		pl_report_bytes(number, (double)row->bytes);
		pl_report_bytes(mean, row->calls > 0 ? (double)row->bytes / (double)row->calls : 0);
		fprintf(out, "%-32s %6" PRId64 " %8" PRId64 " %8s %8s %10s\n", what, row->ranks,
			row->calls, mean, number, pl_report_seconds(time, row->seconds));
	}
	if (s->n > ROWS_MAX)
		fprintf(out, "and %zu more that took less time\n", s->n - ROWS_MAX);
	return 0;
}

/* The last characters of a name, where names differ, mostly. */
static const char *end_of(const char *name, size_t room)
{
	const size_t len = strlen(name);

	return len > room ? name + len - room : name;
}

/* v[n * n], row to column. */
static void write_square(const double *v, size_t n, char *const *name, FILE *out)
{
	char number[PL_REPORT_NUMBER];

	fprintf(out, "%-*s", NAME, "from \\ to");
	for (size_t j = 0; j < n; j++)
		fprintf(out, " %*s", NUMBER, end_of(name[j], NUMBER));
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "\n%-*s", NAME, end_of(name[i], NAME));
		for (size_t j = 0; j < n; j++)
			fprintf(out, " %*s", NUMBER, pl_report_bytes(number, v[i * n + j]));
	}
	fputc('\n', out);
}

struct pair {
	size_t src, dst;
	double bytes;
};

static int more_bytes(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

/* The pairs with most bytes. */
static int write_pairs(const double *v, size_t n, char *const *name, FILE *out)
{
	struct pair *pair = pl_array_create(n, n * sizeof(*pair));
	char number[PL_REPORT_NUMBER];
	size_t n_pairs = 0;

	for (size_t k = 0; pair && k < n * n; k++)
		if (v[k] > 0)
			pair[n_pairs++] = (struct pair){k / n, k % n, v[k]};
	if (!pair)
		return -1;
	qsort(pair, n_pairs, sizeof(*pair), more_bytes);
	fprintf(out, "%-24s %-24s %10s\n", "from", "to", "bytes");
	for (size_t i = 0; i < n_pairs && i < PAIRS_MAX; i++)
		fprintf(out, "%-24s %-24s %10s\n", name[pair[i].src], name[pair[i].dst],
			pl_report_bytes(number, pair[i].bytes));
	if (n_pairs > PAIRS_MAX)
		fprintf(out, "and %zu pairs more, with no more bytes each\n", n_pairs - PAIRS_MAX);
	free(pair);
	return 0;
}

int traffic_write_bytes(const double *v, size_t n, char *const *name, FILE *out)
{
	if (n > SIDE_MAX)
		return write_pairs(v, n, name, out);
	write_square(v, n, name, out);
	return 0;
}

static int write_racks(void *traffic, FILE *out)
{
	const struct traffic *t = traffic;
	const size_t n = t->m->hosts.n, n_racks = t->n_racks;
	double *v = pl_array_create(n_racks, n_racks * sizeof(*v));
	int rc = v ? 0 : -1;

	for (size_t i = 0; v && i < n * n; i++)
		v[t->rack[i / n] * n_racks + t->rack[i % n]] += t->m->layer[0].cell[i];
	if (v)
		rc = traffic_write_bytes(v, n_racks, t->rack_name, out);
	free(v);
	return rc;
}

static int write_hosts(void *traffic, FILE *out)
{
	const struct traffic *t = traffic;

	return traffic_write_bytes(t->m->layer[0].cell, t->r.n, t->r.label, out);
}

int traffic_add_tables(struct traffic *t, const struct report_options *o)
{
	char title[PL_REPORT_LINE];

	if (t->w.n_left_out > 0 && pl_report_add(&t->r, PL_REPORT_WARNING, "",
						 "not drawn: %.3g %% of the calls, most of them %s",
						 100 * t->w.n_left_out / t->w.n_calls, t->w.most))
		return -1;
	snprintf(title, sizeof(title),
		 "%s is a statistics file (%s, mode %s), of %" PRId64 " ranks", o->matrix,
		 t->stats.by, t->stats.mode, t->stats.ranks);
	if (pl_report_add_table(&t->r, title, write_calls, t))
		return -1;
	snprintf(title, sizeof(title), "bytes between racks, as the algorithms of %s send them",
		 t->library);
	if (t->n_racks > 0 && pl_report_add_table(&t->r, title, write_racks, t))
		return -1;
	snprintf(title, sizeof(title), "bytes between %s, as the algorithms of %s send them",
		 o->n_plans > 0 ? "hosts" : "ranks", t->library);
	return pl_report_add_table(&t->r, title, write_hosts, t);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* live-table.c - speed over time, and who waited for whom, as text */
#include "config.h"

#include "src/report/live.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40  /* of time */
#define PAIRS_MAX 10 /* that are named */
#define BAR 32       /* columns of the highest speed */

/* Some intervals, one after the other. */
struct row {
	double end_s, seconds, bytes;
	const char *why; /* the last change in them; NULL: none */
};

static double speed(const struct row *row)
{
	return row->seconds > 0 ? row->bytes / row->seconds : 0;
}

/* Rows of as many samples each as make at most ROWS_MAX. */
static size_t make_rows(const struct live *live, struct row row[ROWS_MAX])
{
	const struct live_sample *s = live->sample;
	const size_t each = (live->n_samples + ROWS_MAX - 1) / ROWS_MAX;
	const double begun = live->n_samples > 0 ? s[0].time - s[0].seconds : 0;
	size_t n = 0;

	for (size_t i = 0; i < live->n_samples; i++) {
		struct row *r = &row[n];

		if (i % each == 0)
			*r = (struct row){0};
		r->end_s = s[i].time - begun;
		r->seconds += s[i].seconds;
		r->bytes += s[i].bytes;
		if (s[i].why)
			r->why = s[i].why;
		n += i % each == each - 1 || i + 1 == live->n_samples;
	}
	return n;
}

static int write_speed(const struct live *live, FILE *out)
{
	struct row row[ROWS_MAX];
	const size_t n = make_rows(live, row);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, speed(&row[i]));
	fprintf(out, "%8s %10s\n", "seconds", "bytes/s");
	for (size_t i = 0; i < n; i++) {
		char number[PL_REPORT_NUMBER];
		const int bar =
			most > 0 ? (int)(BAR * speed(&row[i]) / most + 0.5) : 0;

		fprintf(out, "%8.2f %10s %.*s", row[i].end_s,
			pl_report_bytes(number, speed(&row[i])), bar,
			"################################");
		fprintf(out, "%s%s\n", row[i].why ? " * " : "",
			row[i].why ? row[i].why : "");
	}
	return 0;
}

/* Of one rank to or for another. */
struct pair {
	size_t rank, peer;
	double value;
};

static int greater(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->peer < y->peer ? -1 : x->peer > y->peer;
}

/* All ranks' waiting for one. */
static double waited_for(const struct live *live, size_t peer)
{
	double seconds = 0;

	for (size_t i = 0; i < live->n; i++)
		if (peer < live->process[i].n)
			seconds += live->process[i].waited_s[peer];
	return seconds;
}

static int write_waits(const struct live *live, FILE *out)
{
	struct pair *pair = pl_array_create(live->n, sizeof(*pair));
	char number[PL_REPORT_NUMBER];
	size_t n = 0;

	if (!pair)
		return -1;
	for (size_t p = 0; p < live->n; p++) {
		pair[n] = (struct pair){0, p, waited_for(live, p)};
		n += pair[n].value > 0;
	}
	qsort(pair, n, sizeof(*pair), greater);
	fprintf(out, "%-40s %10s\n", "for", "by all");
	for (size_t i = 0; i < n && i < PAIRS_MAX; i++)
		fprintf(out, "%-40s %10s\n", live->r.label[pair[i].peer],
			pl_report_seconds(number, pair[i].value));
	free(pair);
	return 0;
}

static int write_bytes(const struct live *live, FILE *out)
{
	char number[PL_REPORT_NUMBER];
	struct pair *pair = pl_array_create(live->n, live->n * sizeof(*pair));
	size_t n = 0;

	if (!pair)
		return -1;
	for (size_t i = 0; i < live->n; i++)
		for (size_t k = 0; k < live->process[i].n; k++)
			if (live->process[i].sent[k] > 0)
				pair[n++] = (struct pair){
					i, k, live->process[i].sent[k]};
	qsort(pair, n, sizeof(*pair), greater);
	fprintf(out, "%-24s %-24s %10s\n", "from", "to", "bytes");
	for (size_t i = 0; i < n && i < PAIRS_MAX; i++)
		fprintf(out, "%-24s %-24s %10s\n", live->r.label[pair[i].rank],
			live->r.label[pair[i].peer],
			pl_report_bytes(number, pair[i].value));
	free(pair);
	return 0;
}

/* Text of one of these functions becomes a table. */
static int add(struct live *live, const char *title,
	       int (*write)(const struct live *live, FILE *out))
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc = out ? write(live, out) : -1;

	if (out && (fclose(out) || rc))
		rc = -1;
	else if (out)
		rc = pl_report_add(&live->r, PL_REPORT_TABLE, title, "%s",
				   text);
	free(text);
	return rc;
}

int live_add_tables(struct live *live)
{
	char title[PL_REPORT_LINE];

	snprintf(
		title, sizeof(title),
		"all-reduces of process %zu over time (* the schedules change)",
		live->first);
	if (add(live, title, write_speed) ||
	    add(live, "who was waited for", write_waits))
		return -1;
	return add(live, "bytes sent, of the pairs with most", write_bytes);
}

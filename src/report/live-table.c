/* SPDX-License-Identifier: BSD-3-Clause */
/* live-table.c - speed over time, and who waited for whom, as text */
#include "config.h"

#include "src/report/live.h"

#include "base/mem.h"
#include "src/report/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40  /* of time */
#define WAITS_MAX 10 /* those that were waited for the longest */
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

static int write_speed(void *of, FILE *out)
{
	const struct live *live = of;
	struct row row[ROWS_MAX];
	const size_t n = make_rows(live, row);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, speed(&row[i]));
	fprintf(out, "%8s %10s\n", "seconds", "bytes/s");
	for (size_t i = 0; i < n; i++) {
		char number[PL_REPORT_NUMBER];
		const int bar = most > 0 ? (int)(BAR * speed(&row[i]) / most + 0.5) : 0;

		fprintf(out, "%8.2f %10s %.*s", row[i].end_s,
			pl_report_bytes(number, speed(&row[i])), bar,
			"################################");
		fprintf(out, "%s%s\n", row[i].why ? " * " : "", row[i].why ? row[i].why : "");
	}
	return 0;
}

/* How long all others have waited for a process. */
struct wait {
	size_t process;
	double seconds;
};

static int longer(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds > y->seconds ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

static double waited_for(const struct live *live, size_t peer)
{
	double seconds = 0;

	for (size_t i = 0; i < live->n; i++)
		if (peer < live->process[i].n)
			seconds += live->process[i].waited_s[peer];
	return seconds;
}

static int write_waits(void *of, FILE *out)
{
	const struct live *live = of;
	struct wait *wait = pl_array_create(live->n, sizeof(*wait));
	char number[PL_REPORT_NUMBER];

	if (!wait)
		return -1;
	for (size_t p = 0; p < live->n; p++)
		wait[p] = (struct wait){p, waited_for(live, p)};
	qsort(wait, live->n, sizeof(*wait), longer);
	fprintf(out, "%-40s %10s\n", "for", "by all");
	for (size_t i = 0; i < live->n && i < WAITS_MAX; i++)
		fprintf(out, "%-40s %10s\n", live->r.label[wait[i].process],
			pl_report_seconds(number, wait[i].seconds));
	free(wait);
	return 0;
}

static int write_bytes(void *of, FILE *out)
{
	const struct live *live = of;

	return traffic_write_bytes(live->m->layer[0].cell, live->n, live->r.label, out);
}

/* Each interval, as it is in the files. */
static int add_speeds(struct live *live)
{
	const struct live_sample *s = live->sample;

	for (size_t i = 0; i < live->n_samples; i++) {
		const struct pl_report_speed speed = {
			.end_s = s[i].time - s[0].time + s[0].seconds,
			.bytes_per_s = s[i].seconds > 0 ? s[i].bytes / s[i].seconds : 0,
			.changed = s[i].why != NULL};

		if (pl_report_add_speed(&live->r, &speed))
			return -1;
	}
	return 0;
}

int live_add_tables(struct live *live)
{
	char title[PL_REPORT_LINE];

	snprintf(title, sizeof(title),
		 "all-reduces of process %zu over time (* the schedules change)", live->first);
	if (add_speeds(live) || pl_report_add_table(&live->r, title, write_speed, live) ||
	    pl_report_add_table(&live->r, "who was waited for", write_waits, live))
		return -1;
	return pl_report_add_table(&live->r, "bytes sent", write_bytes, live);
}

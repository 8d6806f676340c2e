/* SPDX-License-Identifier: BSD-3-Clause */
/* live.h - makes a report of what processes have sent and waited for
 * (PLINK_LIVE) */
#ifndef PLINK_SRC_REPORT_LIVE_H
#define PLINK_SRC_REPORT_LIVE_H

#include "report/report.h"
#include "src/report/options.h"

/* An interval of one process. */
struct live_sample {
	double time, seconds; /* its end, since 1970, and its length */
	double bytes, calls;  /* of all-reduces */
	char *why;            /* schedules changed in it; NULL: they did not */
};

/* Start with {0}, end with fini. Ranks are the processes of the job. */
struct live {
	size_t n;         /* ranks; those whose files are missing, too */
	char **host;      /* [n]; NULL: not named */
	bool *is_known;   /* [n]: its file is here */
	double *sent;     /* [n * n] bytes, from row to column */
	double *waited_s; /* [n * n]: row for column */
	uint32_t first;   /* the rank that the samples are of */
	struct live_sample *sample;
	size_t n_samples, room;
	struct pl_matrix *m;
	size_t *cell_of;
	char title[PL_REPORT_LINE];
	struct pl_report r;
};

/* Is it a line of such a file that the text begins with? */
bool live_is(const struct pl_text *text);

/* Collects the report of the files in @o, of which @text is the first. 0, or -1
 * with @err set. */
int live_find(struct live *live, struct pl_text *text,
	      const struct report_options *o, struct pl_err *err);
void live_fini(struct live *live);

/* live-table.c: adds the tables. 0, or -1: out of memory. */
int live_add_tables(struct live *live);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* live.h - makes a report of what processes have sent and waited for (PLINK_LIVE) */
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

/* One process, and what it has to do with the others. */
struct live_process {
	char *host;       /* NULL: not named */
	bool is_known;    /* its file is here */
	double *sent;     /* [n]: bytes, to each */
	double *waited_s; /* [n]: for each */
	size_t n;
};

/* Start with {0}, end with fini. */
struct live {
	struct live_process *process; /* [n]; some without a file */
	size_t n, n_room;
	size_t first; /* the process that the samples are of */
	struct live_sample *sample;
	size_t n_samples, room;
	struct pl_matrix *m;
	size_t *cell_of;
	char title[PL_REPORT_LINE];
	struct pl_report r;
};

/* Is it a line of such a file that the text begins with? */
bool live_is(const struct pl_text *text);

/* Collects the report of the files in @o, of which @text is the first. 0, or -1 with @err set. */
int live_find(struct live *live, struct pl_text *text, const struct report_options *o,
	      struct pl_err *err);
void live_fini(struct live *live);

/* live-table.c: adds the tables. 0, or -1: out of memory. */
int live_add_tables(struct live *live);

#endif

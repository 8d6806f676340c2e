/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - makes a report of a job's statistics: its calls, and who sends how many bytes to
 * whom */
#ifndef PLINK_SRC_REPORT_TRAFFIC_H
#define PLINK_SRC_REPORT_TRAFFIC_H

#include "audit/placement.h"
#include "job/stats.h"
#include "order/calls/workload.h"
#include "report/report.h"
#include "src/report/options.h"

/* Start with {0}, end with fini. */
struct traffic {
	struct pl_stats stats;
	struct pl_placement job; /* where its ranks run */
	struct pl_order_workload w;
	const char *library; /* "openmpi" */
	struct pl_matrix *m; /* of bytes, by node */
	size_t *cell_of, *rack;
	char **rack_name;
	size_t n_racks;
	double sum; /* bytes that all send */
	char title[PL_REPORT_LINE];
	struct pl_report r;
};

/*
 * Collects the report of the statistics in @text, whose file is o->matrix. The bytes between hosts
 * are computed: those of the messages that the library's algorithms send in the calls of all ranks.
 * 0, or -1 with @err set: PL_EUSAGE for options that such a file leaves no room for, PL_EINPUT also
 * if no call can be drawn.
 */
int traffic_find(struct traffic *t, struct pl_text *text, const struct report_options *o,
		 struct pl_err *err);
void traffic_fini(struct traffic *t);

/* traffic-table.c: adds the tables of calls and of bytes. 0, or -1: out of memory. */
int traffic_add_tables(struct traffic *t, const struct report_options *o);

/* traffic-table.c: writes v[n * n], bytes from row to column: all of them, or of many the pairs
 * with most. 0, or -1: out of memory. */
int traffic_write_bytes(const double *v, size_t n, char *const *name, FILE *out);

#endif

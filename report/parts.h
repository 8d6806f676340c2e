/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what a report is gathered with */
#ifndef PLINK_REPORT_PARTS_H
#define PLINK_REPORT_PARTS_H

#include "report/report.h"

/* Percentile @p of v[n] by nearest rank, in time n; NaN of nothing. Orders v
 * anew. */
double pl_report_percentile(double *v, size_t n, double p);

/* Fills racks and what is slow; v[n * n] is scratch. 0, or -1 with @err set. */
int pl_report_find_racks(struct pl_report *r, double *v, struct pl_err *err);

#endif

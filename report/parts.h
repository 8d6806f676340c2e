/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - shared by the files that compute a report */
#ifndef PLINK_REPORT_PARTS_H
#define PLINK_REPORT_PARTS_H

#include "report/report.h"

/* Percentile @p (0 to 1) of v[n] by nearest rank; NaN if n is 0. Reorders v. Expected time O(n). */
double pl_report_percentile(double *v, size_t n, double p);

/* Fills r->rack, racks, n_racks, linked, too_few and slow; v[n * n] is scratch. 0, or -1 with @err
 * set. */
int pl_report_find_racks(struct pl_report *r, double *v, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* chart.h - predicted times in the given and in the found order, as bars */
#ifndef PLINK_REPORT_CHART_H
#define PLINK_REPORT_CHART_H

#include "report/report.h"

#define PL_CHART_WIDTH 460

int pl_chart_height(const struct pl_report *r);

/*
 * Writes the chart as elements of SVG: for each size (of each collective) a bar for the least time
 * of any algorithm in the given order and one for that in the found order, each pair of bars to its
 * own scale. Of many sizes some are left out, which the chart says; the title's is there.
 */
void pl_chart_write(const struct pl_report *r, FILE *out);

#endif

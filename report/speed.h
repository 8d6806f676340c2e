/* SPDX-License-Identifier: BSD-3-Clause */
/* speed.h - how fast the collectives of a job were, over time, as a line */
#ifndef PLINK_REPORT_SPEED_H
#define PLINK_REPORT_SPEED_H

#include "report/chart.h"

#define PL_SPEED_HEIGHT 300

/* Writes the chart as elements of SVG, PL_CHART_WIDTH wide: the speed of each interval of the
 * report, and a dot where something has changed. */
void pl_speed_write(const struct pl_report *r, FILE *out);

#endif

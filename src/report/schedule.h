/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - a schedule in a report: its masters, what crosses the uplinks */
#ifndef PLINK_SRC_REPORT_SCHEDULE_H
#define PLINK_SRC_REPORT_SCHEDULE_H

#include "base/err.h"
#include "engine/schedule.h"
#include "report/report.h"

/* Adds a table for each schedule; the report's hosts are those of the schedules, in their order. 0,
 * or -1 with @err set. */
int report_add_schedules(struct pl_report *r, const struct pl_schedules *s, struct pl_err *err);

#endif

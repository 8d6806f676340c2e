/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - makes a report of a matrix and plans over it */
#ifndef PLINK_SRC_REPORT_WORK_H
#define PLINK_SRC_REPORT_WORK_H

#include "base/plan/plan.h"
#include "engine/schedule.h"
#include "report/report.h"
#include "src/report/options.h"

/* Start with {0}, end with fini. */
struct report_work {
	struct pl_matrix *m;
	struct pl_plan *plan;           /* [o->n_plans]; of a schedule its hosts */
	struct pl_schedules *schedules; /* [o->n_plans]; of a plan empty */
	size_t n_plans;
	size_t *cell_of; /* index in the matrix of each host of the plans */
	double *c;
	struct pl_report r;
};

/*
 * Reads the matrix in @text, whose file is o->matrix, and the plans or
 * schedules, and
 * collects the report. Its hosts are those of the plans, in the order given
 * there, or, without plans, those of the matrix. 0, or -1 with
 * @err set: PL_EINPUT if the plans have different hosts, or hosts that the
 * matrix lacks.
 */
int report_find(struct report_work *w, struct pl_text *text, const struct report_options *o,
		struct pl_err *err);
void report_fini(struct report_work *w);

#endif

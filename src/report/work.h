/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - a matrix and the plans over it, as a report */
#ifndef PLINK_SRC_REPORT_WORK_H
#define PLINK_SRC_REPORT_WORK_H

#include "base/plan/plan.h"
#include "report/report.h"
#include "src/report/options.h"

/* Start with {0}, end with fini. */
struct report_work {
	struct pl_matrix *m;
	struct pl_plan *plan; /* [o->n_plans] */
	size_t n_plans;
	size_t *cell_of; /* the matrix's host of each of the plan's */
	double *c, *per_byte;
	struct pl_report r;
};

/*
 * Reads and gathers. The hosts are those of the plans, in the order given
 * there, or without plans the matrix's. 0, or -1 with @err set: PL_EINPUT where
 * plans are of different hosts, or of hosts that the matrix does not have.
 */
int report_find(struct report_work *w, const struct report_options *o,
		struct pl_err *err);
void report_fini(struct report_work *w);

#endif

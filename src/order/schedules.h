/* SPDX-License-Identifier: BSD-3-Clause */
/* schedules.h - which schedules are written, and for which sizes */
#ifndef PLINK_SRC_ORDER_SCHEDULES_H
#define PLINK_SRC_ORDER_SCHEDULES_H

#include "base/err.h"
#include "engine/schedule.h"
#include "src/order/schedule-candidates.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_reorder_schedules {
	struct pl_schedules file; /* with the hosts in the order found */
	struct pl_reorder_candidates candidates;
	size_t *of; /* [file.n]: the candidate that a schedule is of */
};

/* Finds them for the order in @a, which must outlive them. 0, or -1 with @err
 * set; as pl_reorder_candidates_init and pl_reorder_candidate_make. */
int pl_reorder_schedules_find(struct pl_reorder_schedules *s,
			      const struct pl_reorder_answer *a,
			      struct pl_err *err);
void pl_reorder_schedules_fini(struct pl_reorder_schedules *s);

#endif

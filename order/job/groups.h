/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - the groups of a kind as seats see them */
#ifndef PLINK_ORDER_JOB_GROUPS_H
#define PLINK_ORDER_JOB_GROUPS_H

#include "job/job.h"
#include "order/job/cost.h"

#include <stddef.h>

/* The seats of a kind's groups that have several, each sequence of seats
 * once. Start with {0}, end with fini. */
struct pl_job_seated {
	size_t *seat;  /* of the members */
	size_t *first; /* [n + 1] group g is seat[first[g]] .. */
	size_t n;
	size_t share; /* the most groups that share a card, >= 1 */
};
/* 0, or -1: out of memory. */
int pl_job_seated_init(struct pl_job_seated *g, const struct pl_job_kind *kind,
		       const struct pl_job_seats *seats, size_t cards);
void pl_job_seated_fini(struct pl_job_seated *g);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-clock.h - how long all-reduces take by the library and by
 * schedules */
#ifndef PLINK_SRC_ORDER_SCHEDULE_CLOCK_H
#define PLINK_SRC_ORDER_SCHEDULE_CLOCK_H

#include "base/err.h"
#include "base/stop.h"
#include "engine/schedule.h"
#include "order/calls/forecaster.h"
#include "src/order/output.h"

#include <stddef.h>
#include <stdint.h>

/* Start with {0}, end with fini. Not for two threads. */
struct pl_reorder_clock {
	const struct pl_reorder_answer *a; /* borrowed */
	struct pl_order_forecaster caster;
	struct pl_order_algorithm own;         /* the library's rule */
	struct pl_protocol protocol;           /* of the engine */
	size_t *given;                         /* [hosts.n]: the given order */
	struct pl_order_forecaster hub_caster; /* with --aggregators */
	size_t *hub_at;                        /* [hosts and hubs]; NULL: there are none */
};

/* @a must have a promise in seconds. 0, or -1 with @err set. */
int pl_reorder_clock_init(struct pl_reorder_clock *t, const struct pl_reorder_answer *a,
			  const struct pl_stop *stop, struct pl_err *err);
void pl_reorder_clock_fini(struct pl_reorder_clock *t);

/* The seconds of the library's own all-reduce in both orders, and the name of the algorithm that it
 * takes. */
struct pl_reorder_own_time {
	const char *algorithm;
	double given_s, found_s;
};

/* 0, or -1 with @err set: PL_EUSAGE for what the library cannot run or cannot be predicted;
 * PL_EPARTIAL if a signal interrupts. */
int pl_reorder_clock_own(struct pl_reorder_clock *t, uint64_t bytes,
			 struct pl_reorder_own_time *time, struct pl_err *err);

/* The seconds of an all-reduce by the schedule, and by one with hubs; they fail likewise. */
int pl_reorder_clock_schedule(struct pl_reorder_clock *t, const struct pl_schedule *s,
			      uint64_t bytes, double *seconds, struct pl_err *err);
int pl_reorder_clock_hubs(struct pl_reorder_clock *t, const struct pl_schedule *s, uint64_t bytes,
			  double *seconds, struct pl_err *err);

#endif

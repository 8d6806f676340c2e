/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - measures the hosts of a running job again and again, and tells when
 * a restart in a new order would pay for itself */
#ifndef PLINK_SRC_ORDER_WATCH_WATCH_H
#define PLINK_SRC_ORDER_WATCH_WATCH_H

#include "base/err.h"
#include "base/stop.h"
#include "src/order/options.h"

#include <stddef.h>
#include <stdint.h>

/* What one measurement shows. */
struct pl_reorder_round {
	double slower; /* how many times as long calls take as at the start */
	double gain;   /* percent of their time that the best order saves */
	/* The job's time until a restart has paid for itself: the cost of the
	 * restart over the share of the time that is saved; INFINITY: never.
	 * What is saved until the job ends, less that cost; NAN: how long it
	 * will run is not known. */
	double pays_after_s, saves_s;
	size_t n_hosts;
};

enum pl_reorder_event {
	PL_REORDER_BEGIN,    /* the first measurement, or HOSTS has changed */
	PL_REORDER_SLOWER,   /* calls take longer than at the start */
	PL_REORDER_BACK,     /* they no longer do */
	PL_REORDER_RESTART,  /* a restart in a new order pays for itself */
	PL_REORDER_STAY,     /* it no longer does */
	PL_REORDER_FAILED,   /* could not measure */
	PL_REORDER_MEASURED, /* can again */
	PL_REORDER_END,      /* interrupted */
};

/* Prints the event on standard output, as text or JSON. @round: NULL for a
 * failure and the end; @why: of a failure, else NULL. 0, or -1 with @err set.
 */
int pl_reorder_tell(enum pl_reorder_event kind, const struct pl_reorder_round *round,
		    const struct pl_reorder_options *o, const char *why, struct pl_err *err);

/* Watches until it is interrupted. Prints errors; returns the exit status. */
int pl_reorder_watch(const struct pl_reorder_options *o, const struct pl_stop *stop);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* order.h - one order of hosts for all communicators of a job */
#ifndef PLINK_ORDER_JOB_ORDER_H
#define PLINK_ORDER_JOB_ORDER_H

#include "base/err.h"
#include "base/stop.h"
#include "job/job.h"
#include "order/input.h"
#include "order/request.h"
#include "order/solve.h"

#include <stdbool.h>
#include <stddef.h>

/* What a kind takes in a step, calls and exposed share included, in three orders: the given one,
 * the one that was found, and the best that was found for this kind without the others (NaN: not
 * looked for). */
struct pl_job_times {
	double given, found, alone;
};

struct pl_job_part {
	struct pl_job_times cost;   /* seconds, or the unit of distances */
	struct pl_job_times played; /* seconds; only if the step was played */
	double bound;               /* no order costs it less */
	bool even;                  /* all orders cost it the same (order/job/cost.h) */
};

/* Start with {0}, end with fini. */
struct pl_job_answer {
	struct pl_job_part *kind; /* [n] as in the job */
	size_t n;
	double given, found, bound; /* costs of all kinds */
	double played_given, played_found;
	bool in_seconds; /* costs */
	bool is_played;
	/* what was played depends on rates that are not known: it says which order is nearer, and
	 * no more */
	bool guessed;
	bool even; /* all orders cost the same: none was looked for */
};

/*
 * Finds the order in which a step of the job costs least (order/job/cost.h),
 * for as many ranks as the hosts have slots: the hosts that are measured in
 * round trips take half of one each way. Hosts of different slots do not
 * exchange places. If the input has its
 * network (order/calls/network.h) and the messages are not too many, the step
 * is played out, too, in the orders that cost least for all kinds and for each:
 * the one that takes the least time is the one found, and none that takes more
 * than the given one. Fills @r, in the input's unit, and @a. Of @q counts how
 * to search, names.impl where the job names no library, and min_gain. 0, or -1
 * with @err set: PL_EINPUT if the job has another number of ranks, or a call
 * that its library cannot make; PL_ESYSTEM.
 */
int pl_job_order(struct pl_order_result *r, struct pl_job_answer *a, const struct pl_job *job,
		 const struct pl_order_input *in, const struct pl_order_request *q,
		 const struct pl_stop *stop, struct pl_err *err);

/* The same for the order r->host_at[hosts.n], which is not changed: its cost, the given order's,
 * and the bound. Nothing is found for kinds alone. */
int pl_job_order_cost(struct pl_order_result *r, struct pl_job_answer *a, const struct pl_job *job,
		      const struct pl_order_input *in, const struct pl_order_request *q,
		      const struct pl_stop *stop, struct pl_err *err);

/* Where the hosts state no slots, each gets as many as the job has ranks for it. Returns how many
 * that are; 0: the hosts are unchanged. */
size_t pl_job_fit_slots(const struct pl_job *job, struct pl_hosts *hosts);

/* The times of kind @k: played, if it was. */
const struct pl_job_times *pl_job_answer_times(const struct pl_job_answer *a, size_t k);

void pl_job_answer_fini(struct pl_job_answer *a);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.h - the calls that an order is for, and their weights */
#ifndef PLINK_ORDER_CALLS_WORKLOAD_H
#define PLINK_ORDER_CALLS_WORKLOAD_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/algorithm.h"
#include "order/request.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_order_work {
	struct pl_order_algorithm what; /* with its size */
	/* the algorithm that the library selects for that size; NULL: @what names an algorithm, not
	 * a rule */
	const struct pl_algorithm *taken;
	double weight; /* the weights of v[n] add up to 1; not used for ties */
};

/* Start with {0}, end with fini. */
struct pl_order_workload {
	struct pl_order_work *v;
	size_t n;
	/* weights count calls (--stats): their seconds are added up. Else the time of each call
	 * counts relative to the least known */
	bool counted;
	/* calls after v[n - 1] that were not asked for: they decide between orders that are equally
	 * good for the others */
	size_t n_ties;
	struct pl_err refused; /* why the last size that was left out was */
	/* [n_guessed] calls that were taken out since their times would depend on rates that are
	 * not known */
	struct pl_order_work *guessed;
	size_t n_guessed;
	/* of --stats: calls per process; how many of them are left out since no order can be found
	 * for them; how many of these are of the most frequent kind, and its name */
	double n_calls, n_left_out, n_most;
	char most[64];
};

/*
 * The calls that the options state: --stats, or each collective at each size, with the named
 * algorithm or the one that the library selects. 0, or -1 with @err set: a file that cannot be
 * read, a stated size that the library cannot send (PL_EUSAGE), out of memory.
 */
int pl_order_workload_init(struct pl_order_workload *w, const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err);
void pl_order_workload_fini(struct pl_order_workload *w);

/* Adds the calls in the rows of a plink-stats(5) file that involve all ranks to @w; their weights
 * are numbers of calls. 0, or -1 with @err set: PL_EINPUT also if there are none. */
int pl_order_workload_read(struct pl_order_workload *w, const struct pl_hosts *hosts,
			   const struct pl_order_request *q, struct pl_err *err);

/* The same with the rows @s of the file q->stats, which has been read. */
struct pl_stats;
int pl_order_workload_take(struct pl_order_workload *w, const struct pl_stats *s,
			   const struct pl_hosts *hosts, const struct pl_order_request *q,
			   struct pl_err *err);

/* Sets work->taken. 0, or -1 with @err set: PL_EUSAGE if the library cannot run the call. */
int pl_order_workload_decide(struct pl_order_work *work, const struct pl_hosts *hosts,
			     struct pl_err *err);

/* Takes the calls out with guess[w->n] true; at least one must stay. Their weights are the others'
 * then. 0, or -1 with @err set: out of memory. */
int pl_order_workload_leave(struct pl_order_workload *w, const bool *guess, struct pl_err *err);

/* Does it have calls of several collectives? */
bool pl_order_workload_is_mixed(const struct pl_order_workload *w);

/* Adds a call. 0, or -1 with @err set: out of memory. */
int pl_order_workload_add(struct pl_order_workload *w, const struct pl_order_work *work,
			  struct pl_err *err);

#endif

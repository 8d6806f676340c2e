/* SPDX-License-Identifier: BSD-3-Clause */
/* orders.h - what a run of bench/end-to-end measured: orders, costs, times */
#ifndef PLINK_BENCH_ORDERS_H
#define PLINK_BENCH_ORDERS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>
#include <stdint.h>

/* One order of the hosts and what a cost model says of it. */
struct bench_order {
	char *name;
	double cost; /* in the matrix's own unit */
};

/* One launch: the all-reduces of one order at one size. */
struct bench_run {
	size_t order; /* index into order[] */
	int64_t size_bytes;
	double *us; /* time of each all-reduce, n_us >= 1 */
	size_t n_us;
};

/* Everything in the sequence of the input. Start with {0}; end with fini. */
struct bench_orders {
	struct bench_order *order;
	size_t n_orders, orders_room;
	struct bench_run *run;
	size_t n_runs, runs_room;
	int64_t *size_bytes; /* each size once */
	size_t n_sizes, sizes_room;
	double unit_ms; /* of the costs; 0: not said */
};

/*
 * Reads lines "order NAME COST", "time NAME BYTES US...", "unit NAME"; an order comes before its
 * times; blank lines and '#' lines are left out. @all must be empty. 0, or -1 with @all empty:
 * PL_EINPUT with the place, PL_ESYSTEM.
 */
int bench_orders_parse(struct bench_orders *all, struct pl_text *text, struct pl_err *err);

void bench_orders_fini(struct bench_orders *all);

/* Index of the order of that name, or -1. */
ptrdiff_t bench_orders_find(const struct bench_orders *all, const char *name);

/* The times of all launches of one order at one size. */
struct bench_times {
	double min_us, median_us; /* over all launches; NaN: there is none */
	double spread;            /* largest of the launches' minima / smallest, - 1 */
	size_t n_runs;
};

/* 0, or -1 with @err set when memory runs out. */
int bench_orders_times(const struct bench_orders *all, size_t order, int64_t size_bytes,
		       struct bench_times *times, struct pl_err *err);

#endif

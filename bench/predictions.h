/* SPDX-License-Identifier: BSD-3-Clause */
/* predictions.h - orders that were timed, what was predicted, and a verdict */
#ifndef PLINK_BENCH_PREDICTIONS_H
#define PLINK_BENCH_PREDICTIONS_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORDERS_MAX 64
#define CELLS_MAX 64
#define TIMES_MAX 64

struct order {
	char name[32];
	size_t *host_at; /* [hosts] */
};

/* One algorithm at one size; arrays by order. */
struct cell {
	int setting; /* Open MPI's number of the algorithm; 0: its own choice */
	uint64_t bytes;
	size_t n_times[ORDERS_MAX];
	double time_s[ORDERS_MAX][TIMES_MAX];
	double measured_s[ORDERS_MAX]; /* median */
	double spread[ORDERS_MAX]; /* greatest less least, over the median */
	double predicted_s[ORDERS_MAX];
};

/* Start with {0}, end with fini. */
struct predictions {
	struct order order[ORDERS_MAX];
	size_t n_orders;
	struct cell *cell; /* [CELLS_MAX] */
	size_t n_cells;
};

/*
 * Lines "order NAME HOST..." (rank i on the i-th host) and "time NAME SETTING
 * BYTES US,US,..."; "done" and comments are passed over. Launches of one order
 * add up. 0, or -1 with @err set.
 */
int predictions_read(struct predictions *all, const char *path,
		     const struct pl_hosts *hosts, struct pl_err *err);
void predictions_fini(struct predictions *all);

struct verdict {
	size_t n;      /* orders that were timed */
	bool repeated; /* some of them twice, or in the twin */
	double rho;    /* Spearman's */
	/* The same where orders measured within the repeat spread of one
	 * another are tied; NAN: all are */
	double tied;
	size_t n_apart; /* pairs of orders that are not */
	double agree;   /* share of them predicted the right way round */
	double error;   /* median of |predicted / measured - 1| */
	/* Nine orders of ten vary less: between their times or, where that is
	 * more and a twin was measured, between the two. */
	double repeat_spread;
	double again; /* Spearman's of cell and twin, both measured; NAN: no
			 twin */
	double order_spread; /* largest median / smallest - 1 */
	double promised; /* gain of the best predicted over the given order */
	double kept;     /* what it gained */
	const char *text;
};

/* It promised a gain of 10 % or more, and less than half of that was kept. */
bool verdict_is_overstated(const struct verdict *v);
/* And what was kept is no more than repetitions differ by: there was no
 * gain. */
bool verdict_is_false(const struct verdict *v);

/*
 * Judges a cell whose predicted_s is there. @twin is a cell in which the
 * library did the same, launched another time, or NULL. Gains are 1 - time /
 * time of the order "given". 0, or -1 with @err set.
 */
int judge_cell(const struct predictions *all, const struct cell *cell,
	       const struct cell *twin, struct verdict *v, struct pl_err *err);

#endif

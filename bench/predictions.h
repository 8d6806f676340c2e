/* SPDX-License-Identifier: BSD-3-Clause */
/* predictions.h - timed orders, their predicted times, and a verdict */
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
	double spread[ORDERS_MAX];     /* (largest - smallest) / median */
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
 * Reads lines "order NAME HOST..." (rank i on the i-th host) and "time NAME SETTING BYTES
 * US,US,..."; skips "done" and comments. The times of several launches of one order are put
 * together. 0, or -1 with @err set.
 */
int predictions_read(struct predictions *all, const char *path, const struct pl_hosts *hosts,
		     struct pl_err *err);
void predictions_fini(struct predictions *all);

struct verdict {
	size_t n;      /* orders that were timed */
	bool repeated; /* some of them twice, or there is a twin */
	double rho;    /* Spearman's */
	/* The same with ties: orders whose measured times differ by no more than repeat_spread are
	 * tied. NAN: all are */
	double tied;
	size_t n_apart; /* pairs of orders that are not tied */
	double agree;   /* share of these pairs predicted in the right order */
	double error;   /* median of |predicted / measured - 1| */
	/* Nine of ten orders differ by no more than this: from one of their times to another or, if
	 * that is more and there is a twin, from the cell to the twin. */
	double repeat_spread;
	double again;        /* Spearman's of cell and twin, both measured; NAN: no
				twin */
	double order_spread; /* largest median / smallest - 1 */
	double promised;     /* predicted gain of the order predicted best over the
				given one */
	double kept;         /* the gain that this order had */
	const char *text;
};

/* The promised gain is 10 % or more, and less than half of it was kept. */
bool verdict_is_overstated(const struct verdict *v);
/* It is overstated, and the gain that was kept is no more than repeat_spread: there was no gain. */
bool verdict_is_false(const struct verdict *v);

/*
 * Judges a cell whose predicted_s is filled in. @twin is a cell in which the library did the same
 * in other launches, or NULL. Gains are 1 - time / time of the order "given". 0, or -1 with @err
 * set.
 */
int judge_cell(const struct predictions *all, const struct cell *cell, const struct cell *twin,
	       struct verdict *v, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast.h - --predict: every algorithm of a library, at several sizes */
#ifndef PLINK_SRC_ORDER_FORECAST_H
#define PLINK_SRC_ORDER_FORECAST_H

#include "base/err.h"
#include "base/stop.h"
#include "order/calls/forecaster.h"
#include "order/input.h"
#include "predict/predict.h"
#include "src/order/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One algorithm at one size. */
struct pl_reorder_row {
	struct pl_order_algorithm what;
	const struct pl_algorithm *taken;  /* by a rule, else NULL */
	char why[160];                     /* why it cannot be predicted; or empty */
	bool guessed;                      /* since that depends on rates that are not known */
	struct pl_order_time given, found; /* in those two orders */
	size_t *host_at;                   /* [hosts.n] the order found for it */
	/* if a higher limit of eager messages pays: that limit and the times with it; else 0 */
	uint64_t eager_bytes;
	struct pl_order_time raised_given, raised_found;
};

/* Start with {0}, end with fini. */
struct pl_reorder_forecast {
	size_t n_sizes, n_algorithms;
	struct pl_reorder_row *row; /* [n_sizes * n_algorithms], by size */
	struct pl_protocol protocol;
	const struct pl_algorithm *call; /* recommendations are for its MPI function */
	size_t n_hosts;
	size_t n_ranks, n_racks;
	bool has_rates; /* of cards, uplinks or pairs of hosts */
};

/*
 * Finds an order for each algorithm of the collective and library in @o (or for the one that was
 * named) and predicts the given and the found order at every size. For the algorithms that the
 * library selects by itself, the order found is @written. 0, or -1 with @err set; PL_EPARTIAL if
 * *stop was set first.
 */
int pl_reorder_forecast(struct pl_reorder_forecast *f, const struct pl_order_input *in,
			const struct pl_reorder_options *o, const size_t *written,
			const struct pl_stop *stop, struct pl_err *err);
void pl_reorder_forecast_fini(struct pl_reorder_forecast *f);

/* Was the row predicted, and can it be recommended? MPI_Reduce_scatter_block cannot replace
 * MPI_Reduce_scatter. */
bool pl_reorder_counts(const struct pl_reorder_forecast *f, const struct pl_reorder_row *row);

/* The row with the least predicted time of that size, and whether in the given order; NULL: none
 * was predicted. */
const struct pl_reorder_row *pl_reorder_best(const struct pl_reorder_forecast *f, size_t size,
					     bool *given);

/* The row of the library's own rule at that size; NULL: there is none, or it was not predicted. */
const struct pl_reorder_row *pl_reorder_default(const struct pl_reorder_forecast *f, size_t size);

#endif

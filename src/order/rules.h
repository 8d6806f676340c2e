/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - rules that tell Open MPI which algorithm to use for which size */
#ifndef PLINK_SRC_ORDER_RULES_H
#define PLINK_SRC_ORDER_RULES_H

#include "base/err.h"
#include "base/stop.h"
#include "order/input.h"
#include "src/order/options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A rule for calls of at least that size. */
struct pl_reorder_rule {
	uint64_t from_bytes;          /* as Open MPI counts the call's size */
	const struct pl_algorithm *a; /* NULL: left to the library */
	bool guessed;                 /* since that time depends on rates that are not known */
	uint64_t bytes;               /* the size it was judged at, */
	double seconds, own_seconds;  /* in the order: of that, of the library's
				       * own choice */
};

/* Start with {0}, end with fini. */
struct pl_reorder_rules {
	struct pl_reorder_rule *v;
	size_t n;
	size_t n_ranks;
	const struct pl_algorithm *call; /* any of the algorithms compared */
	uint64_t segment_bytes;          /* 0: no segments */
};

/*
 * Predicts every algorithm of Open MPI for the collective in @o at several
 * sizes, with the hosts in the order host_at[n], and takes the fastest if it
 * gains enough on the library's own choice and neither time depends on rates
 * that are not known. 0, or -1 with @err set; PL_EPARTIAL
 * if *stop was set first.
 */
int pl_reorder_rules_find(struct pl_reorder_rules *rules, const struct pl_order_input *in,
			  const struct pl_reorder_options *o, const size_t *host_at,
			  const struct pl_stop *stop, struct pl_err *err);
void pl_reorder_rules_fini(struct pl_reorder_rules *rules);

/* Writes the file for coll_tuned_dynamic_rules_filename of Open MPI 4.1. */
void pl_reorder_rules_write(const struct pl_reorder_rules *rules, FILE *out);

#endif

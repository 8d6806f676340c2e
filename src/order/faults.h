/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - which cells of plink-order's costs are missing, and whose fault
 * that is */
#ifndef PLINK_SRC_ORDER_FAULTS_H
#define PLINK_SRC_ORDER_FAULTS_H

#include "order/input.h"
#include "src/order/options.h"
#include "order/missing/cover.h"

/* What is missing, and who is at fault. Start with {0}, end with fini. */
struct pl_faults {
	struct pl_gaps gaps;
	size_t *missing; /* [n] cells from and to a host without a cost */
	size_t sum;      /* cells without a cost */
	bool *taken;     /* [n] the fewest hosts without which none is */
	struct pl_cover cover;
};

/* Fills @f. 0, or -1: out of memory; fini is due in either case. */
int pl_faults_find(const struct pl_order_input *in, struct pl_faults *f);
void pl_faults_fini(struct pl_faults *f);

/* How many cells are without a cost; each counts for both of its hosts in
 * missing[n], where that is there. */
size_t pl_faults_count(const struct pl_order_input *in, size_t *missing);

/* Says on stderr who is taken, with the reason that @m has noted; of many only
 * the first ones. How many they are. */
size_t pl_faults_name_taken(const struct pl_order_input *in,
			    const struct pl_faults *f,
			    const struct pl_matrix *m);

/* That, and how many others miss nothing but cells from and to these. */
void pl_faults_name(const struct pl_order_input *in, const struct pl_faults *f,
		    const struct pl_matrix *m);

#endif

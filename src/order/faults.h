/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - which costs of plink-order are missing, and which hosts are at fault */
#ifndef PLINK_SRC_ORDER_FAULTS_H
#define PLINK_SRC_ORDER_FAULTS_H

#include "order/input.h"
#include "order/missing/cover.h"
#include "src/order/remarks.h"

/* The missing costs, and the hosts at fault. Start with {0}, end with fini. */
struct pl_faults {
	struct pl_gaps gaps;
	size_t *missing; /* [n] cells from and to a host without a cost */
	size_t sum;      /* cells without a cost */
	/* [n] the fewest hosts without which no cost is missing, and before others those that
	 * were lost while they were measured */
	bool *taken;
	struct pl_cover cover;
};

/* Fills @f. 0, or -1: out of memory; call fini in both cases. */
int pl_faults_find(struct pl_order_input *in, const struct pl_matrix *m, struct pl_faults *f);
void pl_faults_fini(struct pl_faults *f);

/* The number of cells without a cost. Each counts for both of its hosts in missing[n], unless that
 * is NULL. */
size_t pl_faults_count(const struct pl_order_input *in, size_t *missing);

/* Adds a warning for each host taken, with the reason that @m notes; if they are many, only the
 * first. Returns their number. */
size_t pl_faults_name_taken(const struct pl_order_input *in, const struct pl_faults *f,
			    const struct pl_matrix *m, struct pl_reorder_remarks *remarks);

/* The same, and the number of other hosts that lack only cells from and to these. */
void pl_faults_name(const struct pl_order_input *in, const struct pl_faults *f,
		    const struct pl_matrix *m, struct pl_reorder_remarks *remarks);

#endif

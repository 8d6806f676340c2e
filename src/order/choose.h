/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.h - choosing some of the hosts given (--choose) */
#ifndef PLINK_SRC_ORDER_CHOOSE_H
#define PLINK_SRC_ORDER_CHOOSE_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/input.h"
#include "order/solve.h"
#include "src/order/options.h"
#include "src/order/output.h"

#include <stddef.h>

/* Can --choose be met with these hosts? 0, or -1 with @err set (PL_EINPUT): there are too few, or
 * they have different numbers of slots. */
int pl_reorder_choose_check(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
			    struct pl_err *err);

/* The input and result as if only the chosen hosts had been given, in the order given, without
 * costs and networks. Start with {0}, end with fini. */
struct pl_reorder_chosen {
	struct pl_order_input in;
	struct pl_order_result r;
	struct pl_hosts left_out; /* as given */
};

/* If hosts were to be chosen, makes @a an answer for the first @n_seats hosts of its order, which
 * then borrows *chosen. 0, or -1 with @err set: out of memory. */
int pl_reorder_chosen_tell(struct pl_reorder_chosen *chosen, struct pl_reorder_answer *a,
			   size_t n_seats, struct pl_err *err);
void pl_reorder_chosen_fini(struct pl_reorder_chosen *chosen);

#endif

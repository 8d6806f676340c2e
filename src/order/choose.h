/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.h - some of the hosts given (--choose) */
#ifndef PLINK_SRC_ORDER_CHOOSE_H
#define PLINK_SRC_ORDER_CHOOSE_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "order/input.h"
#include "order/solve.h"
#include "src/order/options.h"
#include "src/order/output.h"

#include <stddef.h>

/* Can so many be chosen of these hosts? 0, or -1 with @err set (PL_EINPUT):
 * there are fewer, or they have different numbers of slots. */
int pl_order_choose_check(const struct pl_hosts *hosts,
			  const struct pl_order_options *o, struct pl_err *err);

/* What stands for input and result: as if those chosen had been given and no
 * others, in the order in which they were given, without costs or networks.
 * Start with {0}, end with fini. */
struct pl_order_chosen {
	struct pl_order_input in;
	struct pl_order_result r;
	struct pl_hosts left_out; /* as given */
};

/* Makes the answer one of those on the first @n_seats of its order, if some
 * were to be chosen; borrows *chosen then. 0, or -1 with @err set: memory. */
int pl_order_chosen_tell(struct pl_order_chosen *chosen,
			 struct pl_order_answer *a, size_t n_seats,
			 struct pl_err *err);
void pl_order_chosen_fini(struct pl_order_chosen *chosen);

#endif

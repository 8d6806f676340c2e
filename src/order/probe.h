/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - measures the hosts of plink-order */
#ifndef PLINK_SRC_ORDER_PROBE_H
#define PLINK_SRC_ORDER_PROBE_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "base/stop.h"
#include "src/common/kept.h"
#include "src/order/options.h"

/* Appends the hosts to @to; repeated hosts of a seq list only once. 0, or -1 with @err set: out of
 * memory. */
int pl_reorder_distinct(struct pl_hosts *to, const struct pl_hosts *from, enum pl_hosts_form form,
			struct pl_err *err);

struct pl_reorder_probed {
	double seconds;
	bool cut;  /* it was stopped */
	bool push; /* hosts were lost that --push would start */
};

/*
 * Measures all pairs of the hosts, each host once even if it is listed again. Shows progress if
 * stderr is a terminal. What is measured is kept in @kept, which the caller ends, too: in a part of
 * --save-matrix, or in plink-order.part. NULL with @err set.
 */
struct pl_matrix *pl_reorder_probe(const struct pl_hosts *hosts, const struct pl_reorder_options *o,
				   const struct pl_stop *stop, struct pl_kept *kept,
				   struct pl_reorder_probed *probed, struct pl_err *err);

#endif

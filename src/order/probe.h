/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - plink-order measures its hosts itself */
#ifndef PLINK_SRC_ORDER_PROBE_H
#define PLINK_SRC_ORDER_PROBE_H

#include "solver/stop.h"
#include "src/err.h"
#include "src/hosts.h"
#include "src/matrix.h"
#include "src/order/options.h"

/* Appends the hosts to @to, those of a seq list that come again once. 0, or -1: no
 * memory. */
int pl_order_distinct(struct pl_hosts *to, const struct pl_hosts *from,
		      enum pl_hosts_form form);

/*
 * Measures all pairs of the hosts, each host once even where it is listed
 * again. Shows progress on a terminal's stderr. *seconds: how long it took.
 * NULL with @err set; PL_EPARTIAL when stopped.
 */
struct pl_matrix *pl_order_probe(const struct pl_hosts *hosts,
				 const struct pl_order_options *o,
				 const struct pl_stop *stop, double *seconds,
				 struct pl_err *err);

#endif

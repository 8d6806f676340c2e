/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.h - hosts beside the ranks that add up for them (--aggregators) */
#ifndef PLINK_SRC_ORDER_HUBS_H
#define PLINK_SRC_ORDER_HUBS_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "engine/hub-racks.h"
#include "order/input.h"
#include "predict/network.h"
#include "src/order/options.h"
#include "src/order/remarks.h"
#include "topology/places.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_reorder_hubs {
	struct pl_hosts hosts;     /* empty: there are none */
	struct pl_order_input all; /* the hosts to be ordered, then the hubs */
};

/* Takes the hosts that @list names, separated by commas, out of @hosts. 0, or -1 with @err set:
 * PL_EUSAGE for a name that is none of @hosts, or comes again, or if fewer than two other hosts are
 * left. */
int pl_reorder_hubs_take(struct pl_reorder_hubs *h, struct pl_hosts *hosts, const char *list,
			 struct pl_err *err);

/* Fills h->all from what was measured, for predictions. 0, or -1 with @err set: PL_EPARTIAL if a
 * hub was not measured, or as pl_order_take_costs. */
int pl_reorder_hubs_measure(struct pl_reorder_hubs *h, const struct pl_order_input *in,
			    const struct pl_matrix *m, const struct pl_reorder_options *o,
			    struct pl_reorder_remarks *remarks, struct pl_err *err);

void pl_reorder_hubs_fini(struct pl_reorder_hubs *h);

/*
 * Finds the racks of ranks and hubs, for schedules with hubs in each: the
 * innermost groups of the places @told; NULL, or if they are the same, with
 * the rates of their uplinks: the racks of @net, where
 * machine[n_ranks + n_hubs] are. host[n_ranks + n_hubs]: the hosts. *g must be
 * {0}. 0, or -1: out of memory.
 */
int pl_reorder_hub_racks(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const struct pl_host *const *host, const struct pl_places *told,
			 const struct pl_network *net, const size_t *machine);

#endif

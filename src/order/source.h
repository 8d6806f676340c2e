/* SPDX-License-Identifier: BSD-3-Clause */
/* source.h - reads or measures hosts and costs: files, probes, --topology */
#ifndef PLINK_SRC_ORDER_SOURCE_H
#define PLINK_SRC_ORDER_SOURCE_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "order/input.h"
#include "src/order/hubs.h"
#include "src/order/launch.h"
#include "src/order/options.h"
#include "src/order/probe.h"
#include "src/order/remarks.h"
#include "src/order/topology.h"

#include <stdbool.h>
#include <stddef.h>

/* Where an input came from. Start with {0}, end with fini. */
struct pl_reorder_source {
	/* for a report, else NULL: the matrix as read or measured, and the index in it of each host
	 * of the input [n] */
	struct pl_matrix *seen;
	size_t *seen_of;
	/* of the matrix as read or measured; empty where neither a plan nor a report is written */
	char digest[PL_DIGEST_CHARS];
	struct pl_reorder_topology topology;
	struct pl_reorder_hubs hubs; /* --aggregators; they are not in the
				      * input */
	bool probed;
	bool saved;                     /* as --save-matrix says */
	bool refused;                   /* cells are missing */
	bool sampled;                   /* on purpose */
	struct pl_kept kept;            /* of the measurements */
	struct pl_reorder_probed probe; /* where probed */
	struct pl_mpi_ways ways;
	char *launch;                      /* with the user of the list; NULL: that names none */
	struct pl_reorder_remarks remarks; /* for the caller to print */
	/* why flows that were to show rates failed; printed with these */
	struct pl_reorder_remarks no_rates;
};

/*
 * Reads the hosts, reads or measures the matrix, takes the costs between the hosts from it, and
 * handles missing costs as the options say. Remarks, also after an error, say what was left out or
 * filled in. 0, or -1 with @err set: PL_EPARTIAL if missing cells are refused or probing was
 * interrupted; PL_EINPUT; PL_ESYSTEM.
 */
int pl_reorder_source_load(struct pl_reorder_source *from, struct pl_order_input *in,
			   const struct pl_reorder_options *o, const struct pl_stop *stop,
			   struct pl_err *err);
void pl_reorder_source_fini(struct pl_reorder_source *from);

/* After a run that did not do everything: prints the commands that measure the rest, or go on with
 * what there is. */
void pl_reorder_remedy(const struct pl_reorder_source *from, const struct pl_reorder_options *o);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.h - uses a --topology file, in place of a matrix or beside one */
#ifndef PLINK_SRC_ORDER_TOPOLOGY_H
#define PLINK_SRC_ORDER_TOPOLOGY_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"
#include "src/order/options.h"
#include "src/order/remarks.h"

#include <stddef.h>

#define PL_REORDER_TOPOLOGY_WORST 20 /* disagreeing hosts that are named */
#define PL_REORDER_TOPOLOGY_PATH 160 /* bytes of a path, the rest is cut */

/* A host whose measurements contradict its location in the file. */
struct pl_reorder_misplaced {
	char host[PL_HOST_NAME_MAX + 1];
	char told[PL_REORDER_TOPOLOGY_PATH], near[PL_REORDER_TOPOLOGY_PATH];
	double own_cost, near_cost; /* medians, in the matrix's unit */
};

/* Start with {0}. Holds no memory. */
struct pl_reorder_topology {
	const char *form; /* of the file: "ec2", ...; NULL: no file */
	size_t levels;
	size_t n_unknown; /* hosts that the file lacks */
	size_t pairs;     /* distances taken from the file */
	/* beside a matrix: hosts compared, those that disagree, the worst of these */
	size_t n_judged, n_misplaced;
	double affinity; /* PAIA of all pairs; NaN: nothing to compare */
	struct pl_reorder_misplaced worst[PL_REORDER_TOPOLOGY_WORST];
};

/*
 * Makes a matrix of distances between the hosts, each host once, from
 * o->topology: 1 within one narrowest place, and for every level above it 1
 * more. Remarks name the hosts that the file lacks; their cells are missing.
 * NULL with @err set; PL_EPARTIAL if missing cells are refused.
 */
struct pl_matrix *pl_reorder_topology_matrix(const struct pl_hosts *hosts,
					     const struct pl_reorder_options *o,
					     struct pl_reorder_topology *topology,
					     struct pl_reorder_remarks *remarks,
					     struct pl_err *err);

/* Compares costs c[hosts->n * hosts->n] with the file. 0, or -1 with @err
 * set. */
int pl_reorder_topology_compare(const struct pl_hosts *hosts, const double *c,
				const struct pl_reorder_options *o,
				struct pl_reorder_topology *topology,
				struct pl_reorder_remarks *remarks, struct pl_err *err);

#endif

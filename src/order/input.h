/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - what plink-order works on: hosts and costs between them */
#ifndef PLINK_SRC_ORDER_INPUT_H
#define PLINK_SRC_ORDER_INPUT_H

#include "solver/stop.h"
#include "src/err.h"
#include "src/hosts.h"
#include "src/matrix.h"
#include "src/order/options.h"
#include "src/order/told.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_order_input {
	struct pl_hosts hosts; /* in the order given, without those dropped */
	double *c;             /* [n * n] costs, symmetrised, none missing */
	/* [n * n] what a byte more costs, in that unit; NULL: not measured, or
	 * no size was given */
	double *per_byte;
	const char *bandwidth_layer; /* of those; NULL: the first; borrowed */
	/* cells of that layer between the hosts, both directions, and how many
	 * of them the matrix notes as not reliable */
	struct {
		size_t n, n_doubted;
	} bandwidths;
	double window_bytes; /* a connection's, each round trip; 0: no limit */
	/* for predictions, else NULL: what was measured between the machines,
	 * and the machine of each host [n] (entries of a seq list may share it) */
	struct pl_matrix *matrix;
	size_t *machine;
	/* for a report, else NULL: the matrix as read or measured, and its host
	 * of each of ours [n] */
	struct pl_matrix *seen;
	size_t *seen_of;
	enum pl_unit unit;
	/* of the matrix as read or measured; empty where neither a plan nor a
	 * report is written */
	char digest[PL_DIGEST_CHARS];
	/* ordered pairs of the hosts given, and how many of them were filled */
	size_t pairs_measured, pairs_missing, n_filled;
	struct pl_hosts dropped;
	bool probed;
	struct pl_order_told told;
	double probe_seconds;
};

/*
 * Reads the hosts, reads or measures the matrix, takes the costs between the
 * hosts from it and deals with those that are missing as asked.
 * Says on stderr what was left out or filled in.
 * 0, or -1 with @err set: PL_EPARTIAL where cells are missing and that is
 * refused, or probing was interrupted; PL_EINPUT; PL_ESYSTEM.
 */
int pl_order_input_load(struct pl_order_input *in,
			const struct pl_order_options *o,
			const struct pl_stop *stop, struct pl_err *err);
void pl_order_input_fini(struct pl_order_input *in);

/* What the host is called in the input: its name, and its port if it has one. */
#define PL_HOST_LABEL (PL_HOST_NAME_MAX + 16)
const char *pl_order_label(char buf[PL_HOST_LABEL], const struct pl_host *host);

#endif

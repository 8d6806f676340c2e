/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - the hosts to be ordered, and the costs between them */
#ifndef PLINK_ORDER_INPUT_H
#define PLINK_ORDER_INPUT_H

#include "base/hosts/hosts.h"
#include "base/matrix/matrix.h"

#include <stdbool.h>
#include <stddef.h>

/* Start with {0}, end with fini. */
struct pl_order_input {
	struct pl_hosts hosts; /* in the order given, without those dropped */
	struct pl_hosts dropped;
	double *c; /* [n * n] costs, symmetrised, none missing */
	/* [n * n] cost of one more byte, in that unit; NULL: not measured, or no size was given */
	double *per_byte;
	/* cells of their layer between the hosts, counting both directions, and how many of them
	 * the matrix notes as not reliable */
	struct {
		size_t n, n_unreliable;
	} bandwidths;
	double window_bytes; /* of a connection per round trip; 0: no limit */
	/* for predictions, else NULL: the measurements between the machines, and the machine of
	 * each host [n] (several entries of a seq list may be one machine) */
	struct pl_matrix *matrix;
	size_t *machine;
	enum pl_unit unit;
	bool round_trips; /* c has these; else one-way times, or distances */
	/* ordered pairs of the hosts given; n_filled: missing ones that were given a value */
	size_t pairs_measured, pairs_missing, n_filled;
};

void pl_order_input_fini(struct pl_order_input *in);

/* The name of the host, with its port if it has one. Returns @buf. */
#define PL_HOST_LABEL (PL_HOST_NAME_MAX + 16)
const char *pl_order_label(char buf[PL_HOST_LABEL], const struct pl_host *host);

#endif

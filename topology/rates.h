/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.h - racks, cards and uplinks, inferred from measured times and flows */
#ifndef PLINK_TOPOLOGY_RATES_H
#define PLINK_TOPOLOGY_RATES_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/matrix/tiers.h"

#include <stdbool.h>
#include <stddef.h>

/* A flow from one host to another. Rates count the bytes received, without headers. */
struct pl_rate_flow {
	size_t set; /* flows of one set ran at the same time; they are adjacent
		     * in the array */
	size_t src, dst;
	double bytes_per_s; /* NaN: the flow failed */
	bool doubted;       /* losses, not links, determined the rate */
};

/* All flows. In one set no host sends two flows or receives two. */
struct pl_rate_flows {
	struct pl_rate_flow *v; /* [n] */
	size_t n, room;
	/* [hosts * hosts] rate of a flow that has the network for itself, where all were measured;
	 * NULL: they were not; borrowed */
	const double *alone;
};

/* 0, or -1: no memory. */
int pl_rate_flows_add(struct pl_rate_flows *f, const struct pl_rate_flow *flow);
void pl_rate_flows_fini(struct pl_rate_flows *f);

/*
 * Initialises @t (pl_tiers_init) and fills it with racks, found from the times in the first layer
 * of @m (pl_racks), and with wider groups, found from the times between racks, as long as there are
 * any. A host without any measured value is a rack of its own. There are no groups where @m stores
 * few cells, holds no times or too few of them (pl_rates_too_few). 0, or -1 with @t empty and @err
 * set: no memory.
 */
int pl_rates_groups(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err);

/* Times of all pairs were asked for, but too few were measured to tell racks
 * (pl_racks_can_tell). */
bool pl_rates_too_few(const struct pl_matrix *m);

/* The same where the matrix has no rack headers; else reads the groups from these headers.
 * PL_EINPUT: a header is malformed. */
int pl_rates_known_groups(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err);

/* Does the matrix have headers of cards or uplinks? */
bool pl_rates_are_told(const struct pl_matrix *m);

/*
 * Fills the rates of cards and uplinks in @t, whose groups must be known.
 * A card's rate is the greatest rate that flows of its host got: within the
 * rack, or with other racks where that was over 5 % more. A card faster than
 * all its partners thus gets the rate of the fastest partner. An uplink's rate
 * is what several flows got through it at once, if that is less than they would
 * get one by one and no other link explains it; else it is not known. 0, or -1
 * with @err set: no memory.
 */
int pl_rates_infer(struct pl_tiers *t, const struct pl_rate_flows *f, struct pl_err *err);

#define PL_RATES_TEXT 400

/* Describes the groups and rates for a reader: "4 racks of 4 hosts; cards 398 to 400 Mbit/s out,
 * ...". @m: where they were inferred from, without their headers yet. */
void pl_rates_describe(const struct pl_tiers *t, const struct pl_matrix *m,
		       char text[PL_RATES_TEXT]);

/*
 * Adds headers of cards and uplinks (plink-matrix(5)) to a matrix that has a TCP layer "alone" or
 * "together" and no such headers, and headers of racks where it has none. @text describes what was
 * found; empty: nothing. 0, or -1 with @err set: no memory, or malformed headers in @m.
 */
#define PL_RATES_TOLD "inferred from the bandwidths: %s" /* the message of tools */
int pl_rates_complete(struct pl_matrix *m, char text[PL_RATES_TEXT], struct pl_err *err);

#endif

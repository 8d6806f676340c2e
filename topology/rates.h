/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.h - racks, cards and uplinks, as measured times and flows show them */
#ifndef PLINK_TOPOLOGY_RATES_H
#define PLINK_TOPOLOGY_RATES_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/matrix/tiers.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes from one host to another, as they arrive, headers not counted. */
struct pl_rate_flow {
	size_t set; /* what was measured at once; such flows are neighbours */
	size_t src, dst;
	double bytes_per_s; /* NaN: none came through */
	bool doubted;       /* the rate tells little of links */
};

/* Flows of which no host sends two of a set, nor receives two. */
struct pl_rate_flows {
	struct pl_rate_flow *v; /* [n] */
	size_t n, room;
	/* [hosts * hosts] what a flow gets that has the network for itself,
	 * where all were measured; borrowed; NULL: they were not */
	const double *alone;
};

/* 0, or -1: no memory. */
int pl_rate_flows_add(struct pl_rate_flows *f, const struct pl_rate_flow *flow);
void pl_rate_flows_fini(struct pl_rate_flows *f);

/*
 * Fills @t, by pl_tiers_init, with racks by the first layer of @m, times
 * (pl_racks), and with wider groups by the times between racks, as long as
 * there are any. A host of which nothing was measured is a rack of its own. No
 * groups where @m has few cells or tells no times. 0, or -1 with @t empty and
 * @err set: no memory.
 */
int pl_rates_groups(struct pl_tiers *t, const struct pl_matrix *m,
		    struct pl_err *err);

/* The same where the matrix has no lines of racks; else what these say.
 * PL_EINPUT: they are wrong. */
int pl_rates_known_groups(struct pl_tiers *t, const struct pl_matrix *m,
			  struct pl_err *err);

/* Has it lines of cards or uplinks? */
bool pl_rates_are_told(const struct pl_matrix *m);

/*
 * Fills cards and uplinks of @t, whose groups are known.
 * A card gives the most that a flow was seen to get through it, within the rack
 * where there are such flows: one faster than all its partners is told as fast
 * as the fastest. An uplink gives what several flows got through it at once, if
 * that is less than they would get one by one and no other link explains it;
 * else its rate is not known. 0, or -1 with @err set: no memory.
 */
int pl_rates_infer(struct pl_tiers *t, const struct pl_rate_flows *f,
		   struct pl_err *err);

#define PL_RATES_TEXT 400

/* "4 racks of 4; cards 398 to 400 Mbit/s out, ...", as people read it. */
void pl_rates_describe(const struct pl_tiers *t, char text[PL_RATES_TEXT]);

/*
 * A matrix that has layers "alone" and "together" of TCP but neither cards nor
 * uplinks (plink-matrix(5)) gets these lines, and racks where it has none.
 * @text says what was found, empty: nothing was. 0, or -1 with @err set: no
 * memory, or lines that are wrong.
 */
#define PL_RATES_TOLD "bandwidths tell: %s" /* how tools say it */
int pl_rates_complete(struct pl_matrix *m, char text[PL_RATES_TEXT],
		      struct pl_err *err);

#endif

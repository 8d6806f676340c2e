/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.h - racks within wider groups, and the rates of cards and uplinks */
#ifndef PLINK_BASE_MATRIX_TIERS_H
#define PLINK_BASE_MATRIX_TIERS_H

#include "base/err.h"
#include "base/matrix/matrix.h"

#include <stddef.h>

#define PL_NO_GROUP SIZE_MAX

/* What TCP's payload has of the bits on the wire: 1448 bytes of an Ethernet
 * frame of 1514, as shapers of rates count it. */
#define PL_TIERS_TCP_SHARE (1448.0 / 1514)

/* Bits per second on the wire, headers included; 0: not known. */
struct pl_link_rate {
	double out_bps, in_bps;
};

/*
 * A packet passes the sender's card, the uplinks of all groups that it leaves,
 * from the rack upwards, those of all groups that it enters, downwards, and the
 * receiver's card. Start with {0}, end with fini.
 */
struct pl_tiers {
	size_t n;                    /* hosts */
	struct pl_link_rate *card;   /* [n] */
	size_t *rack;                /* [n] the group of each host; PL_NO_GROUP
				      * for all: racks are not known */
	size_t n_groups;             /* numbered from 0; none is empty */
	size_t *within;              /* [n_groups] the wider group around it, or
				      * PL_NO_GROUP */
	struct pl_link_rate *uplink; /* [n_groups] */
};

/* Nothing known of @n hosts. 0, or -1 with @err set. */
int pl_tiers_init(struct pl_tiers *t, size_t n, struct pl_err *err);
void pl_tiers_fini(struct pl_tiers *t);

/* Adds a group that has no hosts yet and gives its number; PL_NO_GROUP: no
 * memory. */
size_t pl_tiers_add_group(struct pl_tiers *t);

/*
 * Reads the header lines "rack", "within", "card" and "uplink" of
 * plink-matrix(5); groups keep the order of their numbers. What no line says is
 * not known. 0, or -1 with @t empty and @err set: PL_EINPUT for a line that is
 * none, for racks of some hosts only, for a group within itself.
 */
int pl_tiers_read(struct pl_tiers *t, const struct pl_matrix *m,
		  struct pl_err *err);

/* Makes those lines of the matrix, over the same hosts, say what @t says. 0, or
 * -1 with @err set: no memory. */
int pl_tiers_write(const struct pl_tiers *t, struct pl_matrix *m,
		   struct pl_err *err);

/*
 * Fills empty @to with what @from says of the hosts host[0] to host[n - 1],
 * which become 0 to n - 1. Groups that are left without hosts are left out, the
 * others keep their order. 0, or -1 with @to empty and @err set: no memory.
 */
int pl_tiers_subset(struct pl_tiers *to, const struct pl_tiers *from,
		    const size_t *host, size_t n, struct pl_err *err);

/* Gives all cards, or the uplinks of all racks (groups that hosts are in
 * themselves), that rate each way. */
void pl_tiers_set_cards(struct pl_tiers *t, double bps);
void pl_tiers_set_uplinks(struct pl_tiers *t, double bps);

/* How many groups are racks. */
size_t pl_tiers_racks(const struct pl_tiers *t);

/*
 * The groups that a packet leaves, from the inside, and enters, from the
 * outside, on its way between two hosts: fills leave[] and enter[], of n_groups
 * each, and their numbers. None where both are in one rack or racks are not
 * known.
 */
struct pl_tiers_way {
	size_t *leave, *enter;
	size_t n_leave, n_enter;
};
void pl_tiers_cross(const struct pl_tiers *t, size_t src, size_t dst,
		    struct pl_tiers_way *way);

/* What a flow that has the network for itself gets between two hosts, bits per
 * second on the wire: the least that is known of what it passes; 0: nothing is.
 * @scratch has room as above. */
double pl_tiers_lone(const struct pl_tiers *t, size_t src, size_t dst,
		     struct pl_tiers_way *scratch);

/* Is the rate of any card or uplink known? */
bool pl_tiers_have_rates(const struct pl_tiers *t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.h - racks within wider groups, and the rates of cards and uplinks */
#ifndef PLINK_BASE_MATRIX_TIERS_H
#define PLINK_BASE_MATRIX_TIERS_H

#include "base/err.h"
#include "base/matrix/matrix.h"

#include <stddef.h>

#define PL_NO_GROUP SIZE_MAX

/* The share of TCP's payload in the bits on the wire: 1448 bytes of an Ethernet frame of 1514, as
 * programs that limit rates (shapers) count it. */
#define PL_TIERS_TCP_SHARE (1448.0 / 1514)

/* Bits per second on the wire, headers included; 0: not known. */
struct pl_link_rate {
	double out_bps, in_bps;
};

/*
 * A packet passes the sender's card, the uplinks of the groups that it leaves, from the rack
 * upwards, the uplinks of the groups that it enters, downwards, and the receiver's card. Start with
 * {0}, end with fini.
 */
struct pl_tiers {
	size_t n;                    /* hosts */
	struct pl_link_rate *card;   /* [n] */
	size_t *rack;                /* [n] innermost group; PL_NO_GROUP for all: not known */
	size_t n_groups;             /* numbered from 0; none is empty */
	size_t *within;              /* [n_groups] the wider group around it, or
				      * PL_NO_GROUP */
	struct pl_link_rate *uplink; /* [n_groups] */
};

/* @n hosts, of which nothing is known. 0, or -1 with @err set. */
int pl_tiers_init(struct pl_tiers *t, size_t n, struct pl_err *err);
void pl_tiers_fini(struct pl_tiers *t);

/* Adds a group without hosts and returns its number; PL_NO_GROUP: out of memory. */
size_t pl_tiers_add_group(struct pl_tiers *t);

/*
 * Reads the header lines "rack", "within", "card" and "uplink" of plink-matrix(5); groups keep the
 * order of their numbers. What no line states is not known. 0, or -1 with @t empty and @err set:
 * PL_EINPUT for a malformed line, racks of some hosts only, a group within itself or without hosts.
 */
int pl_tiers_read(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err);

/* Replaces these header lines of @m, a matrix of the same hosts, by what @t holds. 0, or -1 with
 * @err set: out of memory. */
int pl_tiers_write(const struct pl_tiers *t, struct pl_matrix *m, struct pl_err *err);

/* Appends these header lines of @from, as they are. 0, or -1: out of memory. */
int pl_tiers_copy_lines(struct pl_matrix *to, const struct pl_matrix *from);

/*
 * Fills @to, which must be empty, with the part of @from for the hosts host[0] to host[n - 1],
 * which become hosts 0 to n - 1. Groups without any of these hosts are left out; the others keep
 * their order. 0, or -1 with @to empty and @err set: out of memory.
 */
int pl_tiers_subset(struct pl_tiers *to, const struct pl_tiers *from, const size_t *host, size_t n,
		    struct pl_err *err);

/* Sets the rate, in both directions, of all cards, or of the uplinks of all racks (the groups that
 * directly contain hosts). */
void pl_tiers_set_cards(struct pl_tiers *t, double bps);
void pl_tiers_set_uplinks(struct pl_tiers *t, double bps);

/* Is the group a rack? */
bool pl_tiers_is_rack(const struct pl_tiers *t, size_t group);

/* The number of groups that are racks. */
size_t pl_tiers_racks(const struct pl_tiers *t);

/*
 * The groups that a packet leaves, innermost first, and those that it enters, outermost first, on
 * its way between two hosts: fills leave[] and enter[], each with room for n_groups, and their
 * lengths. There are none if both hosts are in one rack or racks are not known.
 */
struct pl_tiers_way {
	size_t *leave, *enter;
	size_t n_leave, n_enter;
};
void pl_tiers_cross(const struct pl_tiers *t, size_t src, size_t dst, struct pl_tiers_way *way);

/* The rate of a flow between two hosts without other traffic, in bits per second on the wire: the
 * lowest known rate on its way; 0 if none is known. @scratch has room as for pl_tiers_cross. */
double pl_tiers_lone(const struct pl_tiers *t, size_t src, size_t dst,
		     struct pl_tiers_way *scratch);

/* Notes on cells that begin so say why a flow between these hosts failed that was to show rates of
 * cards and uplinks. */
#define PL_TIERS_FLOW "few: "
bool pl_tiers_flow_failed(const struct pl_cell_note *note);

/* Did any such flow fail, as @m notes? */
bool pl_tiers_flows_failed(const struct pl_matrix *m);

/* Is the rate of any card or uplink known? */
bool pl_tiers_have_rates(const struct pl_tiers *t);

#endif

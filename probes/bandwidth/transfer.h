/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer.h - flows between hosts, all at once: the coordinator's part */
#ifndef PLINK_PROBES_BANDWIDTH_TRANSFER_H
#define PLINK_PROBES_BANDWIDTH_TRANSFER_H

#include "probes/run/coordinator.h"

enum pl_way_state {
	PL_WAY_BEGUN,  /* one of its ends is to say something */
	PL_WAY_READY,  /* both ends are connected */
	PL_WAY_DONE,   /* flow has its figures */
	PL_WAY_FAILED, /* why says why */
};

/* Bytes from one host to another. */
struct pl_way {
	size_t src, dst;
	enum pl_way_state state;
	uint16_t round;              /* not that of the other direction */
	int port;                    /* where dst listens */
	bool src_owes, dst_owes;     /* an answer */
	struct pl_flow_figures flow; /* dst's, and src's segments sent again */
	char why[PL_MSG_TEXT];
};

/* Are there numbers for one round more, and so many after it? */
bool pl_transfer_has_rounds(const struct pl_coordinator *c, size_t left);

/* Takes the next number of a round, and one more, for the other direction:
 * *round. 0, or -1 with @err set: there are no more. */
int pl_transfer_round(struct pl_coordinator *c, size_t *round,
		      struct pl_err *err);

/*
 * A flow on each of way[n], whose src and dst are set: pairs of hosts of which
 * no two have one in common, each with one direction or both.
 * Of the flows that share @round, by whichever call, no two are of one host in
 * one direction. All are connected before the first byte flows; then all begin.
 * 0: each of them is DONE or FAILED; -1 with @err set, or untouched when told
 * to stop or when the budget's time is over.
 */
int pl_transfer(struct pl_coordinator *c, size_t round, struct pl_way *way,
		size_t n, const struct pl_flow_ask *ask, struct pl_err *err);

#endif

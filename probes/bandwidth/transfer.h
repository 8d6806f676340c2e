/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer.h - runs flows between hosts at once: the coordinator's part */
#ifndef PLINK_PROBES_BANDWIDTH_TRANSFER_H
#define PLINK_PROBES_BANDWIDTH_TRANSFER_H

#include "probes/run/coordinator.h"

enum pl_way_state {
	PL_WAY_BEGUN,  /* one of its ends still has to answer */
	PL_WAY_READY,  /* both ends are connected */
	PL_WAY_DONE,   /* flow holds the result */
	PL_WAY_FAILED, /* why holds the reason */
};

/* A flow from one host to another. */
struct pl_way {
	size_t src, dst;
	enum pl_way_state state;
	uint16_t round;              /* the other direction has another number */
	int port;                    /* where dst listens */
	bool src_owes, dst_owes;     /* an answer is awaited */
	struct pl_flow_figures flow; /* figures of dst, resent of src */
	char why[PL_MSG_TEXT];
};

/* Are there round numbers for one round more and for @left after it? */
bool pl_transfer_has_rounds(const struct pl_coordinator *c, size_t left);

/* Sets *round to the next round number and reserves the one after it for the other direction. 0, or
 * -1 with @err set: there are no more. */
int pl_transfer_round(struct pl_coordinator *c, size_t *round, struct pl_err *err);

/*
 * Runs a flow on each of way[n], whose src and dst are set. The ways are of
 * pairs of hosts, one direction or both of each pair; no two pairs share a
 * host.
 * Among the flows that use the same @round, in this call and others, no host
 * may send two flows or receive two. All flows are connected before the first
 * byte flows; then all begin. 0: each way is DONE or FAILED; -1 with @err set:
 * PL_EPARTIAL when told to stop or when the time budget is over.
 */
int pl_transfer(struct pl_coordinator *c, size_t round, struct pl_way *way, size_t n,
		const struct pl_flow_ask *ask, struct pl_err *err);

#endif

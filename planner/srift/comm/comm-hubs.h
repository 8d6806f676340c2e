/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-hubs.h - the bus bandwidth of all-reduces with hubs beside the ranks */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_HUBS_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_HUBS_H

#include "planner/srift/comm/comm.h"

#include <stddef.h>

/* Hubs beside the machines of a type, which have n_ranks ranks each. */
struct pl_comm_hubs {
	struct pl_comm alone; /* without hubs; its model is borrowed */
	/* what the cards of all hubs move together, in cards of these machines;
	 * 0: there are no hubs */
	double cards;
	size_t slots; /* ranks of each machine, which share its card */
};

/*
 * A model of all-reduces that hubs and ranks share so that all cards are
 * equally busy (pl_rack_exchange_s()), where a card moves as many bytes a
 * second as the model without hubs says. Each rank sends and receives its own
 * bytes: ranks of one machine share its card. Where this is slower than the
 * model without hubs, that counts, as hubs can be left out. Borrows @hubs.
 */
struct pl_comm pl_comm_hubs(const struct pl_comm_hubs *hubs);

#endif

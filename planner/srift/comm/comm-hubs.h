/* SPDX-License-Identifier: BSD-3-Clause */
/* comm-hubs.h - the bus bandwidth of all-reduces with hubs beside the ranks */
#ifndef PLINK_PLANNER_SRIFT_COMM_COMM_HUBS_H
#define PLINK_PLANNER_SRIFT_COMM_COMM_HUBS_H

#include "planner/srift/comm/comm.h"

#include <stddef.h>

/* Hubs beside the machines of a type, which have n_ranks ranks each. */
struct pl_comm_hubs {
	struct pl_comm alone; /* without hubs; its model is borrowed */
	/* what the cards of all hubs move together, in cards of these machines; 0: there are no
	 * hubs */
	double cards;
	size_t slots; /* ranks of each machine, which share its card */
};

/*
 * Seconds of an exchange of @bytes among N >= 2 workers whose cards move
 * @bytes_per_s each way, with shards on all workers and, larger ones, on hubs
 * beside them whose cards move @cards times as much in all:
 * 2 N (N - 1) / (N^2 + k N - 2 k) S / B for k <= N cards; beyond that the
 * workers' own cards are the limit, S / B. All cards are then equally busy.
 */
double pl_comm_hubs_s(size_t n_workers, double cards, double bytes, double bytes_per_s);

/*
 * A model of all-reduces that hubs and ranks share so that all cards are
 * equally busy (pl_comm_hubs_s()), where a card moves as many bytes a
 * second as the model without hubs says. Each rank sends and receives its own
 * bytes: ranks of one machine share its card. Where this is slower than the
 * model without hubs, that counts, as hubs can be left out. Borrows @hubs.
 */
struct pl_comm pl_comm_hubs(const struct pl_comm_hubs *hubs);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* message-cost.h - what a small message costs a host's processes, in header lines of a matrix */
#ifndef PLINK_BASE_MATRIX_MESSAGE_COST_H
#define PLINK_BASE_MATRIX_MESSAGE_COST_H

#include "base/err.h"
#include "base/matrix/matrix.h"

#include <stddef.h>

#define PL_CORES_MAX 65536

/*
 * What plink-agent measures of its host, on all hosts at once (plink-probe(1)). Hosts that share
 * processors, as virtual ones may, thus show what they cost one another.
 */
struct pl_message_cost {
	double send_s, recv_s; /* processor time of sending, of receiving, over TCP */
	/* what a message for a process that sleeps takes in addition */
	double wake_s;
	double spread_s; /* between the quartiles of the time of those messages */
	/* of a message's costs, what the latencies of plink-probe contain: half of the round trip
	 * of a packet to its own host */
	double probe_s;
	double share;   /* of a processor that a process gets that never sleeps: (0, 1] */
	unsigned cores; /* that it may use; 0: not known */
};

/*
 * Of hosts that nothing is known of: what plink-agent measured on an idle virtual machine of two
 * cores, but for the wake-up: 2 us there, to which the idle states of an ordinary server add some.
 */
#define PL_MESSAGE_COST_DEFAULT                                                                    \
	((struct pl_message_cost){                                                                 \
		.send_s = 3e-6, .recv_s = 3e-6, .wake_s = 6e-6, .spread_s = 1e-6, .share = 1})

/* Adds the line "# message" of the host that rows call @label. 0, or -1: out of memory. */
int pl_message_cost_add(struct pl_matrix *m, const char *label, const struct pl_message_cost *cost);

/*
 * Fills cost[m->hosts.n] from the lines "# message" of @m; hosts without one have
 * PL_MESSAGE_COST_DEFAULT. 0, or -1 with @err set: PL_EINPUT for a line that is malformed, of
 * another version, of a host that is not in the matrix, or a second one of a host.
 */
int pl_message_costs_read(struct pl_message_cost *cost, const struct pl_matrix *m,
			  struct pl_err *err);

/* Adds to @to the lines of hosts host[0] to host[n - 1] of @from, which are hosts 0 to n - 1 of
 * @to. 0, or -1 with @err set. */
int pl_message_costs_copy(struct pl_matrix *to, const struct pl_matrix *from, const size_t *host,
			  struct pl_err *err);

#endif

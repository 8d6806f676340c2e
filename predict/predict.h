/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.h - the time of a collective on a network, by simulating its
 * messages */
#ifndef PLINK_PREDICT_PREDICT_H
#define PLINK_PREDICT_PREDICT_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "predict/network.h"
#include "predict/protocol.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero in a field means the default. */
struct pl_predict_options {
	/* The number of calls, one after the other. Default: 24 if ranks
	 * take few steps in a call, 8 from 16 steps on, or fewer, at least 3, from 64 steps on:
	 * longer calls need fewer repetitions. */
	unsigned repeat;
	/* If set, a call begins when the last rank has left the one before; this gives the time of
	 * a single call with open connections. Otherwise each rank begins the next call as soon as
	 * it is done; calls overlap if a rank does not wait for all others, as in a broadcast. */
	bool apart;
	/* The number of simulations with different random numbers; the result is their mean.
	 * Default: 4; 8 for fewer than 64 ranks that share processors. Where nothing is left to
	 * chance there is always one. */
	unsigned starts;
	/* The most messages of the last call's critical path to return, its last ones; 0: none. */
	unsigned path_max;
	/* becomes non-zero to stop the simulation; NULL: never */
	const volatile sig_atomic_t *stop;
};

/* What a message of the critical path waited for longest. */
enum pl_bound {
	PL_BY_LATENCY,
	PL_BY_HANDSHAKE,
	PL_BY_PAIR,     /* the rate between the two hosts */
	PL_BY_NIC,      /* a card of the two */
	PL_BY_UPLINK,   /* an uplink of their racks, or of a wider group */
	PL_BY_TCP,      /* the connection's own pace */
	PL_BY_SENDER,   /* earlier messages in the same connection */
	PL_BY_RECEIVER, /* the data came before the receive was posted */
};
const char *pl_bound_name(enum pl_bound bound);

/* A message on the critical path; times are seconds since the call began. */
struct pl_path_message {
	size_t message; /* index in the pattern */
	/* when both ends have posted it, when the destination has it */
	double begin_s, end_s;
	enum pl_bound bound;
};

/* Start with {0}, end with fini. */
struct pl_prediction {
	/* The time of a call in the long run: the mean over the later half of the calls, each from
	 * when the last rank has left the call before to when the last rank leaves it. */
	double seconds;
	/* the critical path of the last call, in order of time; its last message ends the rank that
	 * left last */
	struct pl_path_message *path;
	size_t n_path;
};
void pl_prediction_fini(struct pl_prediction *p);

/*
 * Simulates the pattern's messages, with position i on host host_at[i]; several positions may share
 * a host. @options NULL: the defaults. The same arguments give the same bits.
 *
 * Time: a few events for each message, each step and each packet, each O(log events). A packet is
 * what TCP hands to a card at once, 2.8 to 64 KiB, but not less than a 64th of its message; before
 * a connection's window has opened, an eighth of the window. Memory: about 90 bytes for each
 * message of each call, and what is under way.
 *
 * 0, or -1 with @out empty and @err set: PL_EINPUT for hosts that the network does not have,
 * PL_EUSAGE for a pattern whose ranks wait for one another for ever or that has too many messages,
 * PL_ESYSTEM for memory, PL_EPARTIAL if @options->stop stopped it.
 */
int pl_predict(const struct pl_pattern *pattern, const size_t *host_at,
	       const struct pl_network *net, const struct pl_protocol *protocol,
	       const struct pl_predict_options *options, struct pl_prediction *out,
	       struct pl_err *err);

#endif

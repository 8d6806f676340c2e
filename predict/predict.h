/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.h - how long a collective takes on a network: its messages played
 * out */
#ifndef PLINK_PREDICT_PREDICT_H
#define PLINK_PREDICT_PREDICT_H

#include "base/err.h"
#include "costmodels/pattern.h"
#include "predict/network.h"
#include "predict/protocol.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero in a field means the default. */
struct pl_predict_options {
	/* calls one after the other (8; fewer, 3 at least, where ranks take
	 * more than 64 steps in a call, which makes up for it) */
	unsigned repeat;
	/* A call begins when the last rank has left the one before: what a call
	 * takes on its own, its connections being open. Otherwise each rank
	 * goes on when it is done: where it need not wait for all others, as in
	 * a broadcast, calls then overlap. */
	bool apart;
	/* So many times, with other random numbers each time, and the mean told
	 * (2 to 8: until its standard error is no more than half a percent, of
	 * 64 ranks and more a percent; 1 where nothing is random). */
	unsigned starts;
	/* messages of the critical path of the last call told at most, its last
	 * ones: 0, none */
	unsigned path_max;
	const volatile sig_atomic_t *stop; /* non-zero: give up; NULL: never */
};

/* What a message of the critical path waited for longest. */
enum pl_bound {
	PL_BY_LATENCY,
	PL_BY_HANDSHAKE,
	PL_BY_PAIR,   /* the rate between the two hosts */
	PL_BY_NIC,    /* a card of the two */
	PL_BY_UPLINK, /* an uplink of their racks, or of what is around them */
	PL_BY_TCP,    /* the connection's own pace */
	PL_BY_SENDER, /* bytes or messages before it in the connection */
	PL_BY_RECEIVER, /* it came before the receive was posted */
};
const char *pl_bound_name(enum pl_bound bound);

/* A message on the critical path; seconds since the call began. */
struct pl_path_message {
	size_t message; /* index in the pattern */
	double begin_s,
		end_s; /* posted by both ends, complete at the destination */
	enum pl_bound bound;
};

/* Start with {0}, end with fini. */
struct pl_prediction {
	/* Of a call in the long run: of the later half of them, from when the
	 * last rank has left the call before to when the last one leaves. */
	double seconds;
	/* of the last call, in order of time; its last message ends the rank
	 * that left last */
	struct pl_path_message *path;
	size_t n_path;
};
void pl_prediction_fini(struct pl_prediction *p);

/*
 * Plays the pattern's messages out, position i on host host_at[i] (several may
 * share a host).
 * Time: a few events for each message and step, and for each packet, each
 * O(log events): of what TCP hands to a card at once, 2.8 to 64 KiB, but no
 * less than a 64th of its message (before a connection's window has opened, of
 * an eighth of the window). Memory: about 80 bytes for each message of
 * each call, and what is under way.
 * 0, or -1 with @out empty and @err set: PL_EINPUT for hosts that the network
 * lacks, PL_EUSAGE for a pattern whose ranks wait for
 * one another for ever or of too many messages, PL_ESYSTEM for memory,
 * PL_EPARTIAL where it was told to stop. Same
 * arguments, same bits.
 */
int pl_predict(const struct pl_pattern *pattern, const size_t *host_at,
	       const struct pl_network *net, const struct pl_protocol *protocol,
	       const struct pl_predict_options *options,
	       struct pl_prediction *out, struct pl_err *err);

#endif

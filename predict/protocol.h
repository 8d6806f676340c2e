/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.h - how a library transfers a message, and what that costs the two hosts */
#ifndef PLINK_PREDICT_PROTOCOL_H
#define PLINK_PREDICT_PROTOCOL_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* How a message of more than eager_bytes is sent. */
enum pl_handshake {
	/* Like all others: put into the connection when it is posted. */
	PL_PUSH,
	/* The sender sends a request. Once the receive is posted, the receiver asks for the data.
	 * Behind the data comes an end mark in a packet of its own, which queues behind the packets
	 * that others have sent meanwhile. */
	PL_RENDEZVOUS,
	/* The receiver tells that its receive is posted; then the data are sent. */
	PL_RECEIVER_READY,
	/* Like a rendezvous, but the sender sends the end mark only when the receiver has
	 * acknowledged the data. Only then is the message done for its sender. */
	PL_ACKNOWLEDGED,
};

/* What a process does until a message comes. */
enum pl_waiting {
	/* The processor spends no time on messages at all. */
	PL_COSTS_NOTHING,
	/* Asks for it again and again. Where it has a processor for itself, it takes the message at
	 * once; where not, it has to wait for its turn. */
	PL_POLLS,
	/* Sleeps; the message wakes it up. */
	PL_SLEEPS,
};

/*
 * A plain value: copy a preset and change what differs. What messages cost the processor is the
 * network's (struct pl_message_cost); the rates of memory are the documented defaults in all
 * presets.
 */
struct pl_protocol {
	const char *name;
	uint64_t eager_bytes; /* larger messages use the handshake */
	enum pl_handshake handshake;
	uint64_t header_bytes;  /* before the data of each message */
	uint64_t control_bytes; /* length of a handshake's message */
	/* A message is done for its sender when all but this many bytes are sent. */
	uint64_t buffer_bytes;
	/* from a rank to another: messages of one tag take the same, those of the next tag the
	 * next; 0: 1 */
	size_t connections;
	enum pl_waiting waits;
	double reduce_s_per_byte, copy_s_per_byte; /* time of pl_work */
	double local_s, local_s_per_byte;          /* a message within a host */
	/* the part of a card's or an uplink's rate that headers leave for
	 * data */
	double rate_share;
	/* What a new connection sends before the first acknowledgement, and the most that it may
	 * have under way. The window doubles with each round trip (slow start), up to that limit;
	 * after a silence it is smaller again (RFC 5681, 4.1). 0: no limit. */
	double first_window_bytes, last_window_bytes;
};

/*
 * Copies the preset called @name to *protocol: "openmpi-tcp", "mpich-tcp", "gloo-tcp",
 * "gloo-buffers", "nccl-socket", "lightgbm-socket", "xgboost-socket", "engine-tcp" (plink's own
 * schedules), "ideal" (latency and rates, nothing else). 0, or -1 with @err set: PL_EUSAGE for an
 * unknown name; the text lists the known ones.
 */
int pl_protocol_find(const char *name, struct pl_protocol *protocol, struct pl_err *err);

struct pl_algorithm;

/* Copies the preset of the library that @a belongs to, called with @radix; "ideal" for an algorithm
 * of the thesis. 0, or -1 with @err set. */
int pl_protocol_of(const struct pl_algorithm *a, size_t radix, struct pl_protocol *protocol,
		   struct pl_err *err);

/*
 * Sets eager_bytes for the value @bytes of Open MPI's btl_tcp_eager_limit, which includes ob1's
 * largest header. btl_tcp_max_send_size makes no difference here: above the eager limit, contiguous
 * data are sent by PUT in one piece.
 */
void pl_protocol_eager_limit(struct pl_protocol *protocol, uint64_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.h - how a library moves a message, and what it costs the two hosts */
#ifndef PLINK_PREDICT_PROTOCOL_H
#define PLINK_PREDICT_PROTOCOL_H

#include "src/err.h"

#include <stddef.h>
#include <stdint.h>

/* How a message of more than eager_bytes goes. */
enum pl_handshake {
	/* As all others: pushed into the connection whenever it is posted. */
	PL_PUSH,
	/* Request to send; once the receive is posted, the receiver asks for the
	 * data; data and end mark in one row. */
	PL_RENDEZVOUS,
	/* The receiver says that its receive is posted; data come then. */
	PL_RECEIVER_READY,
};

/* How a TCP connection takes up a message. */
enum pl_congestion {
	PL_STEADY, /* as fast as links allow: the window is open */
	PL_CUBIC,  /* slow start, and again after a silence (RFC 5681, 4.1) */
	PL_BBR,    /* paced at what it delivered in bursts before */
};

/*
 * A plain value: take a preset and change what differs. What depends on the
 * machine (overheads, rates of memory) has the presets' documented defaults.
 */
struct pl_protocol {
	const char *name;
	uint64_t eager_bytes; /* above this, the handshake */
	enum pl_handshake handshake;
	uint64_t header_bytes;  /* before the data of each message */
	uint64_t control_bytes; /* of a handshake's message */
	/* A message of up to so many bytes is done for its sender once it may go,
	 * a larger one when all of it is sent. */
	uint64_t buffer_bytes;
	double send_s, recv_s; /* the processor's, for each message */
	double reduce_s_per_byte, copy_s_per_byte; /* of pl_work */
	double local_s, local_s_per_byte;          /* a message within a host */
	enum pl_congestion congestion;
	/* Share of a link's rate that is left for data, and how much less than
	 * that a message may get alone, each another share (uniform). */
	double rate_share, rate_spread;
	/* Mean of what a process is late when something arrives for it; each time
	 * another (exponential). */
	double jitter_s;
};

/*
 * The preset of that name: "openmpi-tcp", "gloo-tcp", "nccl-socket",
 * "lightgbm-socket", "ideal" (latency and rates, nothing else).
 * 0, or -1 with @err set (PL_EUSAGE), which lists the names there are.
 */
int pl_protocol_find(const char *name, struct pl_protocol *protocol,
		     struct pl_err *err);

/* Name number @i of the presets; NULL behind the last. */
const char *pl_protocol_name(size_t i);

/*
 * Open MPI's btl_tcp_eager_limit, which counts ob1's header. Its
 * btl_tcp_max_send_size changes nothing here: above the eager limit, contiguous
 * data go by PUT in one piece.
 */
void pl_protocol_eager_limit(struct pl_protocol *protocol, uint64_t bytes);

#endif

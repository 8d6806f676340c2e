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

/* What a TCP connection sends in a burst after silence. */
enum pl_congestion {
	PL_STEADY, /* as fast as links allow: the window is open */
	PL_CUBIC,  /* slow start again where it idled longer than its timeout */
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
	/* What the receiver has asked for comes in pieces of so many bytes, of which
	 * so many are asked for at a time; 0: in one piece. */
	uint64_t piece_bytes;
	unsigned pieces_ahead;
	uint64_t header_bytes;  /* before the data of each message */
	uint64_t control_bytes; /* of a handshake's message */
	uint64_t buffer_bytes;  /* the sender is done when no more is unsent */
	double send_s, recv_s;  /* the processor's, for each message */
	double reduce_s_per_byte, copy_s_per_byte; /* of pl_work */
	double local_s, local_s_per_byte;          /* a message within a host */
	double wire_share; /* of a link's bytes that are payload */
	enum pl_congestion congestion;
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

/* Limits as Open MPI's parameters btl_tcp_eager_limit and
 * btl_tcp_max_send_size say them; 0: as they are. */
struct pl_openmpi_limits {
	uint64_t eager_limit_bytes, max_send_bytes;
};
void pl_protocol_limit(struct pl_protocol *protocol,
		       const struct pl_openmpi_limits *limits);

#endif

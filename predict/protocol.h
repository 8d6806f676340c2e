/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.h - how a library moves a message, and what it costs the two
 * hosts */
#ifndef PLINK_PREDICT_PROTOCOL_H
#define PLINK_PREDICT_PROTOCOL_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* How a message of more than eager_bytes goes. */
enum pl_handshake {
	/* As all others: pushed into the connection whenever it is posted. */
	PL_PUSH,
	/* Request to send; once the receive is posted, the receiver asks for
	 * the data; behind them comes an end mark in a packet of its own, which
	 * queues behind whatever others have sent meanwhile. */
	PL_RENDEZVOUS,
	/* The receiver says that its receive is posted; data come then. */
	PL_RECEIVER_READY,
	/* As a rendezvous, but the end mark waits until the receiver has told
	 * that it has the data; not before is the message done for its
	 * sender. */
	PL_ACKNOWLEDGED,
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
	/* A message is done for its sender once all but so many bytes are
	 * sent. */
	uint64_t buffer_bytes;
	double send_s, recv_s; /* the processor's, for each message */
	/* What a process that waits takes to wake for a message: random, this
	 * much in the mean, exponentially distributed. Without it equal ranks
	 * would stay in step as they never do. */
	double wake_s;
	double reduce_s_per_byte, copy_s_per_byte; /* of pl_work */
	double local_s, local_s_per_byte;          /* a message within a host */
	/* of a card's or an uplink's rate, what headers leave for data */
	double rate_share;
	/* What a new connection sends before the first acknowledgement; twice
	 * that after it, and so on (slow start), up to the most; a silence
	 * makes it less again (RFC 5681, 4.1). 0: neither holds. */
	double first_window_bytes, last_window_bytes;
};

/*
 * The preset of that name: "openmpi-tcp", "mpich-tcp", "gloo-tcp",
 * "gloo-buffers", "nccl-socket",
 * "lightgbm-socket", "ideal" (latency and rates, nothing else).
 * 0, or -1 with @err set (PL_EUSAGE), which lists the names there are.
 */
int pl_protocol_find(const char *name, struct pl_protocol *protocol,
		     struct pl_err *err);

struct pl_algorithm;

/* The preset of the library whose algorithm that is, "ideal" for the thesis'
 * own. 0, or -1 with @err set. */
int pl_protocol_of(const struct pl_algorithm *a, size_t radix,
		   struct pl_protocol *protocol, struct pl_err *err);

/*
 * Open MPI's btl_tcp_eager_limit, which counts ob1's header. Its
 * btl_tcp_max_send_size changes nothing here: above the eager limit, contiguous
 * data go by PUT in one piece.
 */
void pl_protocol_eager_limit(struct pl_protocol *protocol, uint64_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.h - an agent's end of a flow, from the first connection to its result */
#ifndef PLINK_PROBES_BANDWIDTH_FLOW_H
#define PLINK_PROBES_BANDWIDTH_FLOW_H

#include "probes/bandwidth/meter.h"
#include "probes/protocol/control.h"

#include <poll.h>

/* Connections from the peer's address that may be open before they have identified themselves. */
#define PL_FLOW_GUESTS 16
#define PL_FLOW_FDS (1 + PL_STREAMS_MAX + PL_FLOW_GUESTS)

/* A connection and the packet it begins with. */
struct pl_stream {
	int fd; /* -1: none */
	uint8_t said[PL_PACKET_BYTES];
	size_t n_said;
	uint64_t number; /* a guest's: how many came before it, plus 1 */
	bool connected;  /* of a sender */
	bool let_go;     /* bytes may be sent through it */
	bool shut;       /* this end has shut down its sending side */
};

/* What holds for all flows of a run. */
struct pl_flow_run {
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	uint16_t self;
	struct pl_addr addr;
	struct pl_ports ports;
};

enum pl_flow_stage {
	PL_FLOW_NONE,
	PL_FLOW_JOINING,  /* connections are being made */
	PL_FLOW_WAITING,  /* connected; waits for the start */
	PL_FLOW_RUNNING,  /* bytes flow */
	PL_FLOW_DRAINING, /* no more is sent; bytes in flight arrive */
};

/*
 * One flow at a time. Start with {.stage = PL_FLOW_NONE}; begin with receive or send. Then call
 * step() until it returns FLOWED, or JOINED with a reason, after which the stage is NONE; or call
 * end(). Nothing is open in the stage NONE.
 */
struct pl_flow {
	enum pl_flow_stage stage;
	bool sends;
	const struct pl_flow_run *run; /* borrowed */
	uint16_t round, peer;
	struct pl_addr addr; /* of the peer */
	struct pl_flow_ask ask;
	int listener;                            /* -1: none */
	struct pl_stream stream[PL_STREAMS_MAX]; /* [ask.n_streams] */
	struct pl_stream guest[PL_FLOW_GUESTS];
	uint64_t n_guests;   /* connections accepted so far */
	int64_t deadline_ns; /* of the stage */
	int64_t go_ns;       /* of a receiver: when it started the flow */
	struct pl_meter meter;
	struct pl_flow_figures figures;
	char why[PL_MSG_TEXT]; /* why the flow failed; empty: it has not */
	void *bytes;           /* buffer to send from or receive into */
	uint64_t refused;      /* refused connections, in all flows */
};

/* Starts the receiving end; @msg is RECEIVE. Listens; *answer is LISTENING, or JOINED with a reason
 * where that fails (no port). */
void pl_flow_receive(struct pl_flow *f, const struct pl_flow_run *run, const struct pl_msg *msg,
		     int64_t now_ns, struct pl_msg *answer);

/* Starts the sending end; @msg is SEND. Begins to connect; step() reports errors. */
void pl_flow_send(struct pl_flow *f, const struct pl_flow_run *run, const struct pl_msg *msg,
		  int64_t now_ns);

/* Starts the flow of @round: bytes count from now on. 0, or -1: there is none waiting. */
int pl_flow_go(struct pl_flow *f, uint16_t round, int64_t now_ns);

/* Does what can be done without waiting. True: *msg is to be sent to the coordinator. */
bool pl_flow_step(struct pl_flow *f, int64_t now_ns, struct pl_msg *msg);

/* Fills fds[PL_FLOW_FDS] for poll(); returns their number. */
unsigned pl_flow_poll(const struct pl_flow *f, struct pollfd *fds);

/* When step() must be called even if nothing arrives; INT64_MAX: never. */
int64_t pl_flow_wake(const struct pl_flow *f);

/* Closes all that is open. */
void pl_flow_end(struct pl_flow *f);

#endif

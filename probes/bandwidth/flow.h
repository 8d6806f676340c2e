/* SPDX-License-Identifier: BSD-3-Clause */
/* flow.h - an agent's end of a flow: from the first connection to its
 * figures */
#ifndef PLINK_PROBES_BANDWIDTH_FLOW_H
#define PLINK_PROBES_BANDWIDTH_FLOW_H

#include "probes/bandwidth/meter.h"
#include "probes/protocol/control.h"

#include <poll.h>

/* Connections that may be open before they have said who they are. */
#define PL_FLOW_GUESTS 16
#define PL_FLOW_FDS (1 + PL_STREAMS_MAX + PL_FLOW_GUESTS)

/* A connection and what it has begun with. */
struct pl_stream {
	int fd; /* -1: none */
	uint8_t said[PL_PACKET_BYTES];
	size_t n_said;
	uint64_t number; /* a guest's: how many came before it, and itself */
	bool connected;  /* a sender's */
	bool let_go;     /* bytes may be sent by it */
	bool shut;       /* this end has said that it sends no more */
};

/* What holds for all flows of a run. */
struct pl_flow_run {
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	uint16_t self;
	struct pl_addr addr;
	int port_min, port_max;
};

enum pl_flow_stage {
	PL_FLOW_NONE,
	PL_FLOW_JOINING,  /* connections are being made */
	PL_FLOW_WAITING,  /* to be let go */
	PL_FLOW_RUNNING,  /* bytes flow */
	PL_FLOW_DRAINING, /* none are sent; what is on the way still comes */
};

/*
 * One flow at a time. Start with {.stage = PL_FLOW_NONE}, begin with receive or
 * send; step() until it says FLOWED or JOINED with a reason, after which the
 * stage is NONE, or end() it. Nothing is open in the stage NONE.
 */
struct pl_flow {
	enum pl_flow_stage stage;
	bool sends;
	const struct pl_flow_run *run; /* borrowed */
	uint16_t round, peer;
	struct pl_flow_ask ask;
	int listener;                            /* -1: none */
	struct pl_stream stream[PL_STREAMS_MAX]; /* [ask.n_streams] */
	struct pl_stream guest[PL_FLOW_GUESTS];
	uint64_t n_guests;   /* that have come */
	int64_t deadline_ns; /* of the stage */
	int64_t go_ns;       /* a receiver's: when it let the flow go */
	struct pl_meter meter;
	struct pl_flow_figures figures;
	char why[PL_MSG_TEXT]; /* it has gone wrong; empty: it has not */
	void *bytes;           /* what is sent, and where is received */
	uint64_t refused;      /* connections, in all flows */
};

/* @msg is RECEIVE. Listens; *answer is LISTENING, or JOINED with the reason why
 * not (no port). */
void pl_flow_receive(struct pl_flow *f, const struct pl_flow_run *run,
		     const struct pl_msg *msg, int64_t now_ns,
		     struct pl_msg *answer);

/* @msg is SEND. Begins to connect; what goes wrong is told by step(). */
void pl_flow_send(struct pl_flow *f, const struct pl_flow_run *run,
		  const struct pl_msg *msg, int64_t now_ns);

/* @round's flow is received from now on. 0, or -1: there is none that waits. */
int pl_flow_go(struct pl_flow *f, uint16_t round, int64_t now_ns);

/* Does what can be done without waiting. True: *msg is to be told. */
bool pl_flow_step(struct pl_flow *f, int64_t now_ns, struct pl_msg *msg);

/* What to wait for: fds[PL_FLOW_FDS]; how many. */
unsigned pl_flow_poll(const struct pl_flow *f, struct pollfd *fds);

/* When step() has something to do whatever comes; INT64_MAX: never. */
int64_t pl_flow_wake(const struct pl_flow *f);

/* Closes all that is open. */
void pl_flow_end(struct pl_flow *f);

#endif

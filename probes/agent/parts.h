/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - the state of an agent, and the functions its files share */
#ifndef PLINK_PROBES_AGENT_PARTS_H
#define PLINK_PROBES_AGENT_PARTS_H

#include "probes/agent/agent.h"
#include "probes/agent/early.h"
#include "probes/agent/exchange.h"
#include "probes/agent/guard.h"
#include "probes/agent/wire.h"
#include "probes/bandwidth/flow.h"
#include "probes/pair/prober.h"
#include "probes/protocol/control.h"
#include "probes/protocol/silence.h"

#include <sched.h>
#include <stdbool.h>

enum { PL_AGENT_RECEIVES, PL_AGENT_SENDS }; /* index of a flow */

struct pl_agent {
	const struct pl_agent_options *options;
	struct pl_lines lines;
	struct pl_probe_exchange exchange;
	struct pl_prober_options settings;
	struct pl_prober prober;
	int udp[PL_FLOWS_MAX];          /* [n_udp], a socket for each flow */
	uint32_t dropped[PL_FLOWS_MAX]; /* [n_udp] packets dropped by the kernel
					 * that have been counted */
	unsigned n_udp;                 /* 0: not bound yet */
	struct pl_wire_clock clock;
	struct pl_early early;
	struct pl_guard guard;
	struct pl_flow_run flow_run;
	struct pl_flow flow[2]; /* RECEIVES, SENDS: a host may do both */
	bool gives_way;         /* runs at normal priority; before: */
	int policy;
	struct sched_param priority;
	bool has_run;              /* RUN was received */
	bool probing;              /* the result of this round is not sent yet */
	bool ended;                /* END or the end of input was received */
	struct pl_silence silence; /* of the coordinator */
	int send_errno;            /* errno of the last probe that could not be sent; 0: it
				    * was sent */
};

/* Sends a message to the coordinator. 0, or -1 with @err set: it no longer reads. */
int pl_agent_tell(const struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err);

/* Measures what a small message over TCP costs a process of this host, for about 0.15 s, over the
 * loopback interface, at normal priority. What cannot be measured is 0. */
void pl_cost_measure(struct pl_cost_figures *cost);

/* Sends the greeting: name, addresses, adapters. */
int pl_agent_greet(const struct pl_agent *a, struct pl_err *err);

/* Adds the packets that the kernel dropped to those refused. */
void pl_agent_count_dropped(struct pl_agent *a);

/* Answers an early request of the peer, if any; call when a round begins. */
void pl_agent_answer_early(struct pl_agent *a);

/* Sends a probe. One that cannot be sent counts as lost; send_errno keeps the reason. */
void pl_agent_send_request(struct pl_agent *a, uint32_t seq);

/* Reads and handles the packets waiting at the socket of @flow. */
void pl_agent_take_packets(struct pl_agent *a, unsigned flow);

/* Reads commands and executes them. 0, or -1 with @err set. */
int pl_agent_take_commands(struct pl_agent *a, struct pl_err *err);

void pl_agent_stop_probing(struct pl_agent *a);

/* Ends all flows: no TCP socket stays open. */
void pl_agent_end_flows(struct pl_agent *a);

#endif

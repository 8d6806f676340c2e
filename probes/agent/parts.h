/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - an agent, and what its parts do for one another */
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
	uint32_t dropped[PL_FLOWS_MAX]; /* [n_udp] by the kernel, counted */
	unsigned n_udp;                 /* 0: not bound yet */
	struct pl_wire_clock clock;
	struct pl_early early;
	struct pl_guard guard;
	struct pl_flow_run flow_run;
	struct pl_flow
		flow[2]; /* RECEIVES, SENDS: a host may do both at once */
	bool gives_way;  /* and so had these before: */
	int policy;
	struct sched_param priority;
	bool has_run;              /* RUN came */
	bool probing;              /* this round's result is still to be told */
	bool ended;                /* END came, or the end of input */
	struct pl_silence silence; /* the coordinator's */
	int send_errno; /* why the last probe could not be sent; 0: it could */
};

/* 0, or -1 with @err set: the coordinator does not hear. */
int pl_agent_tell(const struct pl_agent *a, const struct pl_msg *msg,
		  struct pl_err *err);

/* Who we are and at which addresses. */
int pl_agent_greet(const struct pl_agent *a, struct pl_err *err);

/* The kernel is to know of which run we are: when that is known, and whom we
 * hear: in each round. */
void pl_agent_filter_run(const struct pl_agent *a);
void pl_agent_filter_round(struct pl_agent *a);

/* What the kernel dropped is refused like what we do. */
void pl_agent_count_dropped(struct pl_agent *a);

/* A round began: was the peer here before us? */
void pl_agent_answer_early(struct pl_agent *a);

/* A packet that cannot be sent is lost like any other; why is kept. */
void pl_agent_send_request(struct pl_agent *a, uint32_t seq);

/* What has come to the socket of @flow. */
void pl_agent_take_packets(struct pl_agent *a, unsigned flow);

/* Reads commands and does what they say. 0, or -1 with @err set. */
int pl_agent_take_commands(struct pl_agent *a, struct pl_err *err);

void pl_agent_stop_probing(struct pl_agent *a);

/* Nothing listens by TCP. */
void pl_agent_end_flows(struct pl_agent *a);

#endif

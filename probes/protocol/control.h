/* SPDX-License-Identifier: BSD-3-Clause */
/* control.h - the lines a coordinator and its agents exchange (plink-protocol(5)) */
#ifndef PLINK_PROBES_PROTOCOL_CONTROL_H
#define PLINK_PROBES_PROTOCOL_CONTROL_H

#include "base/err.h"
#include "probes/pair/prober.h"
#include "probes/protocol/address.h"
#include "probes/protocol/flow.h"
#include "probes/protocol/packet.h"
#include "probes/protocol/verbs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PROTOCOL PL_PACKET_VERSION /* version of lines and packets */
#define PL_LINE_CHARS 512             /* a line with its end */
#define PL_MSG_TEXT 256

/* Agent to coordinator: HELLO NODE ADDR... [REACHED] VERBS... READY, then BOUND, a RESULT per
 * ROUND, BYE; ERROR ends it. Coordinator to agent: RUN SETTINGS, then any number of ROUND, ANSWER
 * or REST, then END. A flow: RECEIVE is answered by LISTENING, JOINED and, after GO, by FLOWED;
 * SEND by JOINED and FLOWED. COSTS, between rounds, is answered by COST. PING is answered by PONG,
 * at any time after READY. */
enum pl_msg_kind {
	PL_MSG_HELLO,     /* plink-agent PROTOCOL VERSION */
	PL_MSG_NODE,      /* node NAME */
	PL_MSG_ADDR,      /* addr IFACE ADDRESS/PREFIX */
	PL_MSG_REACHED,   /* reached IFACE ADDRESS/PREFIX: by ssh */
	PL_MSG_VERBS,     /* verbs KIND NAME */
	PL_MSG_READY,     /* ready */
	PL_MSG_BOUND,     /* bound ECHO PORT... */
	PL_MSG_RESULT,    /* result ROUND PEER figures... [WHY] */
	PL_MSG_BYE,       /* bye REFUSED STALE */
	PL_MSG_ERROR,     /* error TEXT */
	PL_MSG_RUN,       /* run ID KEY SELF FLOWS ADDRESS */
	PL_MSG_SETTINGS,  /* settings figures... */
	PL_MSG_ROUND,     /* round ROUND PEER PACKETS ADDRESS PORT... */
	PL_MSG_ANSWER,    /* answer ROUND PEER ADDRESS PORT... */
	PL_MSG_REST,      /* rest ROUND */
	PL_MSG_END,       /* end */
	PL_MSG_RECEIVE,   /* receive ROUND PEER figures... ADDRESS */
	PL_MSG_SEND,      /* send ROUND PEER figures... ADDRESS PORT */
	PL_MSG_GO,        /* go ROUND */
	PL_MSG_LISTENING, /* listening ROUND PEER PORT */
	PL_MSG_JOINED,    /* joined ROUND PEER [WHY] */
	PL_MSG_FLOWED,    /* flowed ROUND PEER figures... [WHY] */
	PL_MSG_COSTS,     /* costs: measure them */
	PL_MSG_COST,      /* cost figures... */
	PL_MSG_PING,      /* ping */
	PL_MSG_PONG,      /* pong */
};

/* As struct pl_message_cost (base/matrix/message-cost.h), in whole numbers; share_ppm 0: not
 * measured. */
struct pl_cost_figures {
	int64_t send_ns, recv_ns, wake_ns, spread_ns;
	uint32_t share_ppm, cores;
};

/* Only the fields that the kind has are set. */
struct pl_msg {
	enum pl_msg_kind kind;
	int64_t protocol;
	char text[PL_MSG_TEXT]; /* version, node, error, why nothing
				 * came back */
	struct pl_addr addr;
	struct pl_verbs verbs;
	int port[PL_FLOWS_MAX]; /* [n_ports] */
	unsigned n_ports;
	unsigned n_flows;     /* wanted */
	uint32_t packets_max; /* limit of this round */
	int64_t echo_ns;      /* round trip to itself; 0: not measured */
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	uint16_t self, round, peer;
	uint64_t refused, stale; /* packets dropped so far */
	struct pl_prober_options settings;
	struct pl_probed_pair pair;
	struct pl_flow_ask ask;
	struct pl_flow_figures flow;
	struct pl_cost_figures cost;
};

/* Parses one line, without its end. 0, or -1 with *msg undefined: not such a line, or a number out
 * of range. */
int pl_msg_parse(const char *line, size_t len, struct pl_msg *msg);

/* Writes the line and its LF; returns its length. Unprintable
 * characters become '?'; a node name must have no blanks. */
size_t pl_msg_format(const struct pl_msg *msg, char out[PL_LINE_CHARS]);

/* Replaces characters that are unsafe for a terminal or a file of lines by
 * '?'. */
void pl_text_tame(char *s);

/* Input that is split into lines. Start with {0}. */
struct pl_lines {
	char data[2 * PL_LINE_CHARS];
	size_t len;
	bool skipping; /* in the middle of a line that was too long */
};

enum pl_lines_got { PL_LINES_DATA, PL_LINES_NONE, PL_LINES_END };

/* Reads once from @fd, which poll() found readable or which does not block. END: the end of input,
 * or reading failed. */
enum pl_lines_got pl_lines_fill(struct pl_lines *lines, int fd);

/*
 * Takes the next complete line into @out (with a zero, without its end; CR LF counts as an end; a
 * zero in it becomes '?'). 1: a line; 0: none yet; -1: a line was too long and is left out.
 */
int pl_lines_next(struct pl_lines *lines, char out[PL_LINE_CHARS]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* flood.h - an agent in its round, and packets that it must not answer */
#ifndef PLINK_BENCH_FLOOD_H
#define PLINK_BENCH_FLOOD_H

#include "base/rng.h"
#include "probes/agent/exchange.h"
#include "probes/agent/wire.h"
#include "probes/launch/spawn.h"
#include "probes/protocol/control.h"

#include <stdbool.h>
#include <stdint.h>

/* The first three are what anybody can send, the others what only somebody can
 * who sees the run's packets and sends by the peer's address. */
enum flood_kind {
	FLOOD_RANDOM,
	FLOOD_SHORT,
	FLOOD_STRANGER, /* all right but the port it comes from */
	FLOOD_FORGED,   /* all right but the tag */
	FLOOD_REPLAYED, /* the last right request */
	FLOOD_EARLIER,  /* a right request of an earlier round */
	FLOOD_REPLY,    /* a right reply, to nothing */
	FLOOD_REPLIED,  /* the last right reply, to a request of the agent's */
	FLOOD_THROWN,   /* the agent's own requests and replies in turn */
	FLOOD_KINDS
};
#define FLOOD_ANYBODY FLOOD_FORGED /* the kinds below are anybody's */

extern const char *const flood_names[FLOOD_KINDS];

/* The agent is host 1, we are host 0, both on the loopback. Start with {0} and
 * a generator; flood_start, and flood_finish. */
struct flood {
	struct pl_child agent;
	struct pl_lines lines;
	struct pl_probe_exchange us;
	struct sockaddr_storage at; /* the agent */
	struct pl_addr addr;
	struct pl_wire_clock clock;
	int udp, stranger, port;
	struct pl_rng rng;
	uint32_t seq;                  /* of the last right request */
	uint8_t last[PL_PACKET_BYTES]; /* that request */
	uint8_t replied_last[PL_PACKET_BYTES];
	uint8_t thrown[2][PL_PACKET_BYTES]; /* the agent's last of either */
	uint64_t sent[FLOOD_KINDS];
	uint64_t asked, strangers; /* right ones; replies to anything else */
	uint32_t probes;           /* that the agent measures us by */
	uint64_t replied;          /* to them, warm-up included */
	uint64_t refused, stale;   /* as the agent says */
	struct pl_probed_pair result;
};

/* Starts the agent and its round, in which it measures us by @probes; 1: we do
 * not answer that. False with @err set. */
bool flood_start(struct flood *f, char *const argv[], uint32_t probes,
		 struct pl_err *err);

/* Sends one packet that must not be answered. */
void flood_send(struct flood *f, enum flood_kind kind);

/* Sends a right request: true when its reply has come; other replies are
 * counted, and the agent's own requests answered. */
bool flood_ask(struct flood *f);

/* The agent's result, its last words and its end: false where one is not as it
 * should be, such as a result that has more replies than we gave. */
bool flood_finish(struct flood *f);

#endif

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

/* Anybody can send packets of the first three kinds. For the others, somebody must see the packets
 * of the run and send from the peer's address. */
enum flood_kind {
	FLOOD_RANDOM,
	FLOOD_SHORT,
	FLOOD_STRANGER, /* valid except for the port it comes from */
	FLOOD_FORGED,   /* valid except for the tag */
	FLOOD_REPLAYED, /* the last valid request, again */
	FLOOD_EARLIER,  /* a valid request of an earlier round */
	FLOOD_REPLY,    /* a valid reply, to no request */
	FLOOD_REPLIED,  /* the last valid reply to a request of the agent's */
	FLOOD_THROWN,   /* the agent's own requests and replies in turn */
	FLOOD_KINDS
};
#define FLOOD_ANYBODY FLOOD_FORGED /* anybody can send lesser kinds */

extern const char *const flood_names[FLOOD_KINDS];

/* The agent is host 1, we are host 0, both on the loopback. Start with {0} and a seeded rng; then
 * call flood_start and, at the end, flood_finish. */
struct flood {
	struct pl_child agent;
	struct pl_lines lines;
	struct pl_probe_exchange us;
	struct sockaddr_storage at; /* the agent */
	struct pl_addr addr;
	struct pl_wire_clock clock;
	int udp, stranger, port;
	struct pl_rng rng;
	uint32_t seq;                  /* of the last valid request */
	uint8_t last[PL_PACKET_BYTES]; /* that request */
	uint8_t replied_last[PL_PACKET_BYTES];
	uint8_t thrown[2][PL_PACKET_BYTES]; /* the agent's last of either */
	uint64_t sent[FLOOD_KINDS];
	uint64_t asked, strangers; /* valid; replies to others */
	uint32_t probes;           /* how many probes the agent sends us */
	uint64_t replied;          /* our replies to them, warm-up included */
	uint64_t refused, stale;   /* as the agent reports them */
	struct pl_probed_pair result;
};

/* Starts the agent with @argv, and a round in which it measures us with @probes probes; if @probes
 * is 1, we do not answer it. False with @err set. */
bool flood_start(struct flood *f, char *const argv[], uint32_t probes, struct pl_err *err);

/* Sends one packet that must not be answered. */
void flood_send(struct flood *f, enum flood_kind kind);

/* Sends a valid request and waits for its reply: true when that has come. Counts other replies, and
 * answers the agent's own requests. */
bool flood_ask(struct flood *f);

/* Reads the agent's result and its last words, and waits for its end. False if one of them is not
 * as it should be, such as a result with more replies than we gave. */
bool flood_finish(struct flood *f);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* early.h - keeps a request that arrived before its round began on this host */
#ifndef PLINK_PROBES_AGENT_EARLY_H
#define PLINK_PROBES_AGENT_EARLY_H

#include "probes/agent/exchange.h"
#include "probes/agent/wire.h"
#include "probes/protocol/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* A request that arrived longer than this before its round is not answered: its sender has sent
 * others since. */
#define PL_EARLY_NS INT64_C(500000000)

/*
 * The two hosts of a pair are told of a round one after the other, and the first request of one may
 * arrive before the other knows of the round. If that request were lost, the pair would lose the
 * time after which a probe is given up. Start with {0}.
 */
struct pl_early {
	bool kept;
	uint8_t data[PL_PACKET_BYTES];
	struct pl_arrival arrival;
	unsigned flow;
};

/* Keeps a packet that was judged PL_EARLY; replaces the one kept before. */
void pl_early_keep(struct pl_early *early, const uint8_t data[PL_PACKET_BYTES],
		   const struct pl_arrival *arrival, unsigned flow);

/*
 * Call when @x has opened a round. True: the kept packet is to be answered in this round; then it
 * no longer counts as stale, *packet is the request, and its arrival and flow are in @early. False:
 * there is none; @x is unchanged.
 */
bool pl_early_take(struct pl_early *early, struct pl_probe_exchange *x, int64_t now_ns,
		   struct pl_packet *packet);

#endif

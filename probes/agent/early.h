/* SPDX-License-Identifier: BSD-3-Clause */
/* early.h - a request that came before its round began here */
#ifndef PLINK_PROBES_AGENT_EARLY_H
#define PLINK_PROBES_AGENT_EARLY_H

#include "probes/agent/exchange.h"
#include "probes/agent/wire.h"
#include "probes/protocol/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* Longer before its round, a request is not answered any more: who sent it has
 * sent others since. */
#define PL_EARLY_NS INT64_C(500000000)

/*
 * Both hosts of a pair are told of a round one after the other, and the first
 * one's first request may arrive before the second knows. Lost, it would cost
 * the pair the time after which a probe is given up. Start with {0}.
 */
struct pl_early {
	bool kept;
	uint8_t data[PL_PACKET_BYTES];
	struct pl_arrival arrival;
	unsigned flow;
};

/* Keeps what was judged PL_EARLY, in place of what was kept before. */
void pl_early_keep(struct pl_early *early, const uint8_t data[PL_PACKET_BYTES],
		   const struct pl_arrival *arrival, unsigned flow);

/*
 * To be called when @x has opened a round: is what was kept to be answered in
 * it? Then it is no more counted as stale, *packet is the request, and its
 * arrival and flow are in @early. Otherwise @x is as it was.
 */
bool pl_early_take(struct pl_early *early, struct pl_probe_exchange *x,
		   int64_t now_ns, struct pl_packet *packet);

#endif

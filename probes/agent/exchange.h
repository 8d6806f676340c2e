/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h - which packets are answered and which dropped in a round */
#ifndef PLINK_PROBES_AGENT_EXCHANGE_H
#define PLINK_PROBES_AGENT_EXCHANGE_H

#include "probes/pair/flows.h"
#include "probes/protocol/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_EXCHANGE_SEEN 64 /* latest requests remembered */

/* The state of the run and of the present round on this host. Start with
 * {0}. */
struct pl_probe_exchange {
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	uint16_t self, peer, round;
	bool open;                                       /* false: resting; no packet is answered */
	struct sockaddr_storage peer_addr[PL_FLOWS_MAX]; /* [n_flows] */
	unsigned n_flows;
	uint32_t seen_high; /* highest request answered in this round */
	uint64_t seen;      /* bit k: seen_high - k was answered */
	uint64_t refused;   /* packets dropped in all rounds: forged, from other
			     * hosts, replayed */
	uint64_t stale;     /* authentic, but of another round: too early or too
			     * late */
};

enum pl_packet_verdict {
	PL_DROP,   /* counted in refused or stale; send no answer */
	PL_EARLY,  /* a request of another round, counted in stale: judge it
		    * again if that round is about to begin here */
	PL_ANSWER, /* a request of the peer, for the first time */
	PL_TAKE,   /* a reply of the peer */
};

/* Begins a round with @peer. Its flow k comes from addr[k], k < n_flows <= PL_FLOWS_MAX. Packets of
 * earlier rounds are stale from now on. */
void pl_exchange_open(struct pl_probe_exchange *x, uint16_t round, uint16_t peer,
		      const struct sockaddr_storage *addr, unsigned n_flows);

/* Ends the round: whatever arrives from now on is dropped. */
void pl_exchange_close(struct pl_probe_exchange *x);

/*
 * Judges the packet data[len], which arrived from @from at the socket of @flow; fills *packet
 * unless it is dropped. Accepted are only packets of this run and round with a valid tag, from the
 * address of the present peer and the port it uses for that flow. A request is answered once, so
 * that a replayed one has no effect.
 */
enum pl_packet_verdict pl_exchange_judge(struct pl_probe_exchange *x, const void *data, size_t len,
					 const struct sockaddr_storage *from, unsigned flow,
					 struct pl_packet *packet);

/* Writes request @seq to the present peer. */
void pl_exchange_request(const struct pl_probe_exchange *x, uint32_t seq,
			 uint8_t out[PL_PACKET_BYTES]);

/* Writes the reply to a request that was judged PL_ANSWER. */
void pl_exchange_reply(const struct pl_probe_exchange *x, const struct pl_packet *request,
		       int64_t hold_ns, uint8_t out[PL_PACKET_BYTES]);

#endif

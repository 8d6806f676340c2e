/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h - who may talk in this round: what is answered, what is dropped */
#ifndef PLINK_PROBES_AGENT_EXCHANGE_H
#define PLINK_PROBES_AGENT_EXCHANGE_H

#include "probes/pair/flows.h"
#include "probes/protocol/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define PL_EXCHANGE_SEEN 64 /* the last requests that are remembered */

/* What a host knows of the run and of the round it is in. Start with {0}. */
struct pl_probe_exchange {
	uint64_t run;
	uint8_t key[PL_PACKET_KEY_BYTES];
	uint16_t self, peer, round;
	bool insecure; /* the thesis' packet instead (thesis-packet.h) */
	bool open;     /* false: resting; nobody is answered */
	struct sockaddr_storage peer_addr[PL_FLOWS_MAX]; /* [n_flows] */
	unsigned n_flows;
	uint32_t seen_high; /* highest request answered in this round */
	uint64_t seen;      /* bit k: seen_high - k was answered */
	uint64_t refused; /* forged, from strangers, recorded; in all rounds */
	uint64_t stale;   /* authentic, but of another round: come too soon
			   * or too late */
};

enum pl_packet_verdict {
	PL_DROP,  /* counted in refused or stale; say nothing */
	PL_EARLY, /* a request of another round, counted in stale: if that one
		   * is about to begin here, judge it again then */
	PL_AGAIN, /* a request of the peer's, but not for the first time, or too
		   * old to know: counted in refused; say nothing */
	PL_ANSWER, /* a request of the peer's, for the first time */
	PL_TAKE,   /* a reply of the peer's */
};

/* Begins a round with @peer, whose flow k comes from addr[k], k < n_flows <=
 * PL_FLOWS_MAX; what came before is not answered again. */
void pl_exchange_open(struct pl_probe_exchange *x, uint16_t round,
		      uint16_t peer, const struct sockaddr_storage *addr,
		      unsigned n_flows);

/* Rests: whatever arrives is dropped. */
void pl_exchange_close(struct pl_probe_exchange *x);

/*
 * Judges data[len] that arrived from @from at the socket of @flow and fills
 * *packet unless dropped. Only the present peer, from its address and the port
 * it has for that flow, in this run and round, with
 * a valid tag is heard; a request is answered once, so that a recorded one is
 * worth nothing. Without tags (insecure), whoever sends by the peer's address
 * and port is taken for it.
 */
enum pl_packet_verdict pl_exchange_judge(struct pl_probe_exchange *x,
					 const void *data, size_t len,
					 const struct sockaddr_storage *from,
					 unsigned flow,
					 struct pl_packet *packet);

/* How long a packet of the run is. */
size_t pl_exchange_bytes(const struct pl_probe_exchange *x);

/* The request @seq to the present peer, pl_exchange_bytes() of it. */
void pl_exchange_request(const struct pl_probe_exchange *x, uint32_t seq,
			 uint8_t out[PL_PACKET_BYTES]);

/* The reply to a request that was judged PL_ANSWER. */
void pl_exchange_reply(const struct pl_probe_exchange *x,
		       const struct pl_packet *request, int64_t hold_ns,
		       uint8_t out[PL_PACKET_BYTES]);

#endif

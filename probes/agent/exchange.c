/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - which packets are answered in this round, and which are
 * dropped */
#include "config.h"

#include "probes/agent/exchange.h"

#include "probes/protocol/address.h"

#include <string.h>

void pl_exchange_open(struct pl_probe_exchange *x, uint16_t round, uint16_t peer,
		      const struct sockaddr_storage *addr, unsigned n_flows)
{
	x->round = round;
	x->peer = peer;
	memcpy(x->peer_addr, addr, n_flows * sizeof(*addr));
	x->n_flows = n_flows;
	x->seen_high = 0;
	x->seen = 0;
	x->open = true;
}

void pl_exchange_close(struct pl_probe_exchange *x)
{
	x->open = false;
}

/* Is @seq new? Then it is remembered. A sliding window as in RFC 4303,
 * 3.4.3. */
static bool is_new(struct pl_probe_exchange *x, uint32_t seq)
{
	uint32_t back;

	if (seq > x->seen_high) {
		back = seq - x->seen_high;
		x->seen = back < PL_EXCHANGE_SEEN ? x->seen << back : 0;
		x->seen_high = seq;
	}
	back = x->seen_high - seq;
	if (back >= PL_EXCHANGE_SEEN || (x->seen >> back & 1))
		return false;
	x->seen |= UINT64_C(1) << back;
	return true;
}

static bool is_peers(const struct pl_probe_exchange *x, const struct sockaddr_storage *from,
		     unsigned flow, const struct pl_packet *packet)
{
	return packet->src == x->peer && flow < x->n_flows &&
	       pl_addr_is_from(from, &x->peer_addr[flow]);
}

/* Is it of this run and for this host? Without the key nobody can make such a packet. */
static bool is_authentic(const struct pl_probe_exchange *x, const void *data, size_t len,
			 struct pl_packet *packet)
{
	return !pl_packet_parse(packet, data, len, x->key) && packet->run == x->run &&
	       packet->dst == x->self;
}

enum pl_packet_verdict pl_exchange_judge(struct pl_probe_exchange *x, const void *data, size_t len,
					 const struct sockaddr_storage *from, unsigned flow,
					 struct pl_packet *packet)
{
	if (!is_authentic(x, data, len, packet)) {
		x->refused++;
		return PL_DROP;
	}
	if (!x->open || packet->round != x->round) {
		x->stale++;
		return packet->direction == PL_REQUEST ? PL_EARLY : PL_DROP;
	}
	if (is_peers(x, from, flow, packet)) {
		if (packet->direction == PL_REPLY)
			return PL_TAKE;
		if (is_new(x, packet->seq))
			return PL_ANSWER;
	}
	x->refused++;
	return PL_DROP;
}

static void format(const struct pl_probe_exchange *x, enum pl_direction direction, uint32_t seq,
		   uint32_t hold_ns, uint8_t out[PL_PACKET_BYTES])
{
	const struct pl_packet packet = {
		.direction = direction,
		.round = x->round,
		.seq = seq,
		.run = x->run,
		.src = x->self,
		.dst = x->peer,
		.hold_ns = hold_ns,
	};

	pl_packet_format(out, &packet, x->key);
}

void pl_exchange_request(const struct pl_probe_exchange *x, uint32_t seq,
			 uint8_t out[PL_PACKET_BYTES])
{
	format(x, PL_REQUEST, seq, 0, out);
}

void pl_exchange_reply(const struct pl_probe_exchange *x, const struct pl_packet *request,
		       int64_t hold_ns, uint8_t out[PL_PACKET_BYTES])
{
	format(x, PL_REPLY, request->seq, pl_packet_hold(hold_ns), out);
}

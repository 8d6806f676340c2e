/* SPDX-License-Identifier: BSD-3-Clause */
/* packets.c - an agent's packets: sent, checked, answered */
#include "config.h"

#include "base/clock.h"
#include "probes/agent/parts.h"

_Static_assert(PL_EXCHANGE_SEEN >= PL_PROBER_OPEN, "a probe that is on its way is known");
#define BATCHES 4 /* read before commands are looked at again */

/* Packets that the kernel dropped for lack of room count as refused, like those that the agent
 * drops. */
void pl_agent_count_dropped(struct pl_agent *a)
{
	for (unsigned k = 0; k < a->n_udp; k++) {
		const uint32_t n = pl_wire_dropped(a->udp[k]);

		a->exchange.refused += n - a->dropped[k];
		a->dropped[k] = n;
	}
}

static void answer(struct pl_agent *a, const struct pl_packet *request,
		   const struct pl_arrival *arrival, unsigned flow)
{
	uint8_t reply[PL_PACKET_BYTES];

	pl_exchange_reply(&a->exchange, request, pl_clock_ns() - arrival->at_ns, reply);
	pl_wire_send(a->udp[flow], reply, sizeof(reply), &arrival->from);
}

/* A round begins: did the peer's request come before? */
void pl_agent_answer_early(struct pl_agent *a)
{
	struct pl_packet packet;

	if (pl_early_take(&a->early, &a->exchange, pl_clock_ns(), &packet))
		answer(a, &packet, &a->early.arrival, a->early.flow);
}

/* A packet that cannot be sent counts as lost; the reason is kept. */
void pl_agent_send_request(struct pl_agent *a, uint32_t seq)
{
	const unsigned flow = seq % a->exchange.n_flows;
	uint8_t packet[PL_PACKET_BYTES];

	pl_exchange_request(&a->exchange, seq, packet);
	a->send_errno =
		pl_wire_send(a->udp[flow], packet, sizeof(packet), &a->exchange.peer_addr[flow]);
}

/* A reply of the peer's. Is it of use: neither to nothing nor one more to the same? */
static bool take_reply(struct pl_agent *a, const struct pl_packet *packet,
		       const struct pl_arrival *arrival)
{
	const struct pl_prober_heard heard = {
		.seq = packet->seq,
		.hold_ns = packet->hold_ns,
		.at_ns = arrival->at_ns,
		.waited_ns = arrival->waited_ns,
	};
	const uint64_t before = a->prober.pair.answered;
	const bool was_warm = a->prober.warm;

	if (pl_prober_hear(&a->prober, &heard)) {
		a->exchange.refused++;
		return false;
	}
	return a->prober.pair.answered > before || a->prober.warm != was_warm;
}

/* Is the packet of use? */
static bool take_packet(struct pl_agent *a, const struct pl_wire_packet *in, unsigned flow)
{
	struct pl_packet packet;

	switch (pl_exchange_judge(&a->exchange, in->data, in->len, &in->arrival.from, flow,
				  &packet)) {
	case PL_ANSWER:
		answer(a, &packet, &in->arrival, flow);
		return true;
	case PL_TAKE:
		return take_reply(a, &packet, &in->arrival);
	case PL_EARLY:
		pl_early_keep(&a->early, in->data, &in->arrival, flow);
		return false;
	case PL_DROP:
		break;
	}
	return false;
}

void pl_agent_take_packets(struct pl_agent *a, unsigned flow)
{
	struct pl_wire_packet v[PL_WIRE_BATCH];
	const int batches = a->guard.is_flood ? PL_GUARD_READS : BATCHES;
	unsigned n = PL_WIRE_BATCH;
	uint32_t useless = 0;

	for (int i = 0; i < batches && n == PL_WIRE_BATCH; i++) {
		n = pl_wire_receive_many(a->udp[flow], &a->clock, v);
		for (unsigned k = 0; k < n; k++)
			useless += !take_packet(a, &v[k], flow);
	}
	pl_guard_note(&a->guard, useless, pl_clock_ns());
}

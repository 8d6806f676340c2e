/* SPDX-License-Identifier: BSD-3-Clause */
/* packets.c - an agent's packets: sent, judged, answered, kept out by the kernel */
#include "config.h"

#include "probes/agent/filter.h"
#include "probes/agent/parts.h"
#include "src/tool.h"

#define BATCH 64 /* packets taken before commands are looked at again */

/* The kernel is to know whom we hear. */
void pl_agent_filter(const struct pl_agent *a)
{
	for (unsigned k = 0; k < a->n_udp && !a->options->unfiltered; k++)
		pl_filter_attach(a->udp[k], &a->exchange, k);
}

/* What the kernel dropped is refused like what we do. */
void pl_agent_count_dropped(struct pl_agent *a)
{
	for (unsigned k = 0; k < a->n_udp; k++) {
		const uint32_t n = pl_filter_dropped(a->udp[k]);

		a->exchange.refused += n - a->dropped[k];
		a->dropped[k] = n;
	}
}

static void answer(struct pl_agent *a, const struct pl_packet *request,
		   const struct pl_arrival *arrival, unsigned flow)
{
	uint8_t reply[PL_PACKET_BYTES];

	pl_exchange_reply(&a->exchange, request,
			  pl_tool_clock_ns() - arrival->at_ns, reply);
	pl_wire_send(a->udp[flow], reply, pl_exchange_bytes(&a->exchange),
		     &arrival->from);
}

/* A round began: was the peer here before us? */
void pl_agent_answer_early(struct pl_agent *a)
{
	struct pl_packet packet;

	if (pl_early_take(&a->early, &a->exchange, pl_tool_clock_ns(), &packet))
		answer(a, &packet, &a->early.arrival, a->early.flow);
}

/* A packet that cannot be sent is lost like any other; why is kept. */
void pl_agent_send_request(struct pl_agent *a, uint32_t seq)
{
	const unsigned flow = seq % a->exchange.n_flows;
	uint8_t packet[PL_PACKET_BYTES];

	pl_exchange_request(&a->exchange, seq, packet);
	a->send_errno = pl_wire_send(a->udp[flow], packet,
				     pl_exchange_bytes(&a->exchange),
				     &a->exchange.peer_addr[flow]);
}

static void take_packet(struct pl_agent *a, const uint8_t *data, size_t len,
			const struct pl_arrival *arrival, unsigned flow)
{
	struct pl_packet packet;

	switch (pl_exchange_judge(&a->exchange, data, len, &arrival->from, flow,
				  &packet)) {
	case PL_ANSWER:
		answer(a, &packet, arrival, flow);
		break;
	case PL_EARLY:
		pl_early_keep(&a->early, data, arrival, flow);
		break;
	case PL_TAKE:
		if (pl_prober_reply(&a->prober, packet.seq, packet.hold_ns,
				    arrival->at_ns))
			a->exchange.refused++;
		break;
	case PL_DROP:
		break;
	}
}

void pl_agent_take_packets(struct pl_agent *a, unsigned flow)
{
	struct pl_arrival arrival;
	uint8_t data[PL_PACKET_BYTES + 1]; /* one more shows what is too long */
	ssize_t len;

	for (int i = 0; i < BATCH; i++) {
		len = pl_wire_receive(a->udp[flow], &a->clock, data,
				      sizeof(data), &arrival);
		if (len < 0)
			return;
		take_packet(a, data, (size_t)len, &arrival, flow);
	}
}

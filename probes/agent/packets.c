/* SPDX-License-Identifier: BSD-3-Clause */
/* packets.c - an agent's packets: sent, checked, answered, filtered by the
 * kernel */
#include "config.h"

#include "base/clock.h"
#include "probes/agent/filter.h"
#include "probes/agent/parts.h"

#define AWAITED 64 /* the last requests that a filter can tell apart */
_Static_assert(AWAITED >= PL_PROBER_OPEN && PL_EXCHANGE_SEEN >= PL_PROBER_OPEN,
	       "a probe that is on its way is known to both ends");
#define BATCHES 4 /* read before commands are looked at again */

/* Packets without a tag have no run number either. */
static bool is_guarded(const struct pl_agent *a)
{
	return a->options->shield == PL_AGENT_FULL && !a->exchange.insecure;
}

static void filter_round(const struct pl_agent *a)
{
	for (unsigned k = 0; k < a->n_udp; k++)
		pl_filter_attach(a->udp[k], &a->exchange, k);
}

/* Filters take time, and in every round only with whom one has to do that is
 * flooded. */
void pl_agent_filter_run(const struct pl_agent *a)
{
	if (!is_guarded(a) && a->options->shield != PL_AGENT_NONE)
		filter_round(a);
	for (unsigned k = 0; k < a->n_udp && is_guarded(a); k++)
		pl_filter_attach_run(a->udp[k], &a->exchange);
}

void pl_agent_filter_round(struct pl_agent *a)
{
	if (!is_guarded(a) && a->options->shield != PL_AGENT_NONE)
		filter_round(a);
	for (unsigned k = 0; k < a->n_udp && is_guarded(a); k++)
		if (pl_guard_relax(&a->guard, k))
			pl_filter_attach_run(a->udp[k], &a->exchange);
}

/* The requests of ours whose replies are still waited for, late ones
 * included. */
static struct pl_bpf_news awaited(const struct pl_agent *a)
{
	const struct pl_prober *p = &a->prober;
	const uint32_t first = p->warm ? p->first_seq : 0;
	struct pl_bpf_news news = {.high = p->next_seq - 1};

	if (!a->probing)
		return (struct pl_bpf_news){.high = UINT32_MAX};
	if (p->next_seq == 0)
		return (struct pl_bpf_news){.below = 1};
	for (uint32_t k = 0; k < AWAITED && first + k < p->next_seq; k++)
		if (!p->window[(news.high - k) % PL_PROBER_WINDOW].answered)
			news.below |= UINT64_C(1) << k;
	return news;
}

/* What was read from a flow's socket. */
static void note_read(struct pl_agent *a, unsigned flow, const struct pl_guard_read *read)
{
	const enum pl_guard_act act = pl_guard_note(&a->guard, flow, read, pl_clock_ns());
	struct pl_bpf_news replies;

	if (act == PL_GUARD_NONE)
		return;
	replies = awaited(a);
	if (act == PL_GUARD_ATTACH_NEWS)
		pl_filter_attach_news(a->udp[flow], &a->exchange, &replies);
	else
		pl_filter_attach_tags(a->udp[flow], &a->exchange, flow, &replies);
}

/* Packets that the kernel dropped count as refused, like those that the agent
 * drops. */
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

	pl_exchange_reply(&a->exchange, request, pl_clock_ns() - arrival->at_ns, reply);
	pl_wire_send(a->udp[flow], reply, pl_exchange_bytes(&a->exchange), &arrival->from);
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
	a->send_errno = pl_wire_send(a->udp[flow], packet, pl_exchange_bytes(&a->exchange),
				     &a->exchange.peer_addr[flow]);
}

/* A reply of the peer's: perhaps to nothing, or one more to the same. */
static void take_reply(struct pl_agent *a, const struct pl_packet *packet,
		       const struct pl_arrival *arrival, struct pl_guard_read *read)
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
		read->useless++;
	} else if (a->prober.pair.answered > before || a->prober.warm != was_warm) {
		read->heard[PL_GUARD_REPLIES]++;
	} else {
		read->replayed[PL_GUARD_REPLIES]++;
		read->useless++;
	}
}

static void take_packet(struct pl_agent *a, const struct pl_wire_packet *in, unsigned flow,
			struct pl_guard_read *read)
{
	struct pl_packet packet;

	switch (pl_exchange_judge(&a->exchange, in->data, in->len, &in->arrival.from, flow,
				  &packet)) {
	case PL_ANSWER:
		answer(a, &packet, &in->arrival, flow);
		read->heard[PL_GUARD_REQUESTS]++;
		return;
	case PL_AGAIN:
		read->replayed[PL_GUARD_REQUESTS]++;
		break;
	case PL_TAKE:
		take_reply(a, &packet, &in->arrival, read);
		return;
	case PL_EARLY:
		pl_early_keep(&a->early, in->data, &in->arrival, flow);
		break;
	case PL_DROP:
		break;
	}
	read->useless++;
}

void pl_agent_take_packets(struct pl_agent *a, unsigned flow)
{
	struct pl_wire_packet v[PL_WIRE_BATCH];
	struct pl_guard_read read = {0};
	unsigned n = PL_WIRE_BATCH;

	for (int i = 0; i < BATCHES && n == PL_WIRE_BATCH; i++) {
		n = pl_wire_receive_many(a->udp[flow], &a->clock, v);
		for (unsigned k = 0; k < n; k++)
			take_packet(a, &v[k], flow, &read);
	}
	if (is_guarded(a))
		note_read(a, flow, &read);
}

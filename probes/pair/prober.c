/* SPDX-License-Identifier: BSD-3-Clause */
/* prober.c - measures one directed pair: when to send, and what replies tell */
#include "config.h"

#include "probes/pair/prober.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)
#define TIMEOUT_WARM_NS (2 * MS)   /* the peer may not have begun the round */
#define MARGIN_MIN_NS (1 * MS)     /* for a processor that is busy */
#define TIMEOUT_MAX_NS (1000 * MS) /* unless without doubling it is more */

int pl_prober_init(struct pl_prober *p, const struct pl_prober_options *options, int64_t now_ns)
{
	memset(p, 0, sizeof(*p));
	p->options = *options;
	p->begun_ns = p->heard_ns = p->next_ns = now_ns;
	p->check_at = options->probes_min;
	p->rtt_ns = pl_array_create(options->probes_max, sizeof(int64_t));
	p->sorted_ns = pl_array_create(options->probes_max, sizeof(int64_t));
	p->raw_ns = pl_array_create(options->probes_max, sizeof(int64_t));
	p->flow = pl_array_create(options->probes_max, sizeof(*p->flow));
	if (p->rtt_ns && p->sorted_ns && p->raw_ns && p->flow)
		return 0;
	pl_prober_fini(p);
	return -1;
}

void pl_prober_fini(struct pl_prober *p)
{
	free(p->rtt_ns);
	free(p->sorted_ns);
	free(p->raw_ns);
	free(p->flow);
	memset(p, 0, sizeof(*p));
	p->done = true;
}

static int64_t timeout_after(const struct pl_prober *p)
{
	int64_t margin = 4 * p->deviation_ns, base, wait;

	if (margin < MARGIN_MIN_NS)
		margin = MARGIN_MIN_NS;
	base = p->warm ? p->mean_ns + margin : TIMEOUT_WARM_NS;
	wait = base << (p->losses < 8 ? p->losses : 8);
	if (wait > TIMEOUT_MAX_NS)
		wait = base > TIMEOUT_MAX_NS ? base : TIMEOUT_MAX_NS;
	return wait;
}

static struct pl_sample sample(const struct pl_prober *p)
{
	return (struct pl_sample){
		.rtt_ns = p->rtt_ns,
		.raw_ns = p->raw_ns,
		.flow = p->flow,
		.n = p->pair.answered,
		.n_flows = p->options.n_flows,
		.work = p->sorted_ns,
	};
}

/* Looks at 1/8 more replies each time, so that sorting stays cheap. */
static bool is_settled(struct pl_prober *p)
{
	const struct pl_sample s = sample(p);

	if (s.n < p->check_at)
		return false;
	p->check_at = (uint32_t)(s.n + s.n / 8 + 1);
	return pl_flows_settled(&s, &p->options.tolerance);
}

/* Whether no further probe may be sent. */
static bool is_spent(const struct pl_prober *p)
{
	return p->pair.sent >= p->options.probes_max || p->next_seq >= p->options.packets_max;
}

/* Whether no further replies are wanted. */
static bool has_enough(struct pl_prober *p, int64_t now_ns)
{
	return p->pair.answered >= p->options.probes_min &&
	       (now_ns - p->begun_ns >= p->options.pair_ns || is_settled(p));
}

/* If the probes are used up without a single answer, it goes on listening until the silence limit:
 * a late answer is worth more than none. */
static bool is_over(struct pl_prober *p, int64_t now_ns)
{
	const struct pl_prober_options *o = &p->options;

	if (now_ns - p->begun_ns >= o->limit_ns || now_ns - p->heard_ns >= o->silence_ns)
		return true;
	if (p->n_open > 0)
		return false;
	if (is_spent(p))
		return p->pair.answered > 0;
	return p->enough;
}

/* A random time below @most: pairs that probe at the same time fall out of step. */
static int64_t some_of(const struct pl_prober *p, int64_t most)
{
	if (!p->chance || most <= 0)
		return 0;
	return p->chance(most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
}

/* Nothing is on its way any more. Did that take longer than the pause after
 * the last probe? Then the next may leave nearly at once. */
static void go_on(struct pl_prober *p, int64_t now_ns)
{
	if (p->n_open == 0 && p->next_ns < now_ns)
		p->next_ns = now_ns + some_of(p, p->options.gap_ns / 16);
}

/* Answered or given up. */
static void close_probe(struct pl_prober *p, uint32_t seq)
{
	p->window[seq % PL_PROBER_WINDOW].open = false;
	p->n_open--;
	while (p->first_open < p->next_seq && !p->window[p->first_open % PL_PROBER_WINDOW].open)
		p->first_open++;
}

static int64_t first_timeout(const struct pl_prober *p)
{
	return p->window[p->first_open % PL_PROBER_WINDOW].timeout_ns;
}

/* If several open probes are given up, that is one loss. */
static void give_up(struct pl_prober *p, int64_t now_ns)
{
	while (p->n_open > 0 && now_ns >= first_timeout(p)) {
		const uint32_t seq = p->first_open;

		close_probe(p, seq);
		p->losses += seq >= p->loss_from;
		if (seq >= p->loss_from)
			p->loss_from = p->next_seq;
		if (p->warm)
			p->pair.lost++;
		go_on(p, now_ns);
	}
}

/* Whether a probe may leave once the gap is over. */
static bool may_send(const struct pl_prober *p)
{
	if (p->enough || is_spent(p))
		return false;
	if (p->n_open == 0)
		return true;
	return p->warm && p->losses == 0 && p->options.gap_ns >= PL_PROBER_GAP_NS &&
	       p->next_seq - p->first_open < PL_PROBER_OPEN &&
	       (p->check_at > p->options.probes_min || p->pair.answered + p->n_open < p->check_at);
}

static void send_probe(struct pl_prober *p, int64_t now_ns)
{
	const uint32_t slot = p->next_seq % PL_PROBER_WINDOW;

	if (p->n_open++ == 0)
		p->first_open = p->next_seq;
	p->next_seq++;
	p->window[slot].sent_ns = now_ns;
	p->window[slot].timeout_ns = now_ns + timeout_after(p);
	p->window[slot].open = true;
	p->window[slot].answered = false;
	p->next_ns = now_ns + p->options.gap_ns + some_of(p, p->options.gap_ns);
	if (p->warm)
		p->pair.sent++;
}

bool pl_prober_step(struct pl_prober *p, int64_t now_ns, uint32_t *seq)
{
	if (p->done)
		return false;
	give_up(p, now_ns);
	p->enough = p->enough || has_enough(p, now_ns);
	if (is_over(p, now_ns)) {
		if (p->warm)
			p->pair.lost += p->n_open;
		p->n_open = 0;
		p->done = true;
		return false;
	}
	if (now_ns < p->next_ns || !may_send(p))
		return false;
	*seq = p->next_seq;
	send_probe(p, now_ns);
	return true;
}

int64_t pl_prober_wake(const struct pl_prober *p)
{
	const struct pl_prober_options *o = &p->options;
	int64_t wake = INT64_MAX;

	if (p->done)
		return INT64_MAX;
	if (p->n_open > 0)
		wake = first_timeout(p);
	if (wake > p->next_ns && may_send(p))
		wake = p->next_ns;
	if (wake > p->begun_ns + o->limit_ns)
		wake = p->begun_ns + o->limit_ns;
	if (wake > p->heard_ns + o->silence_ns)
		wake = p->heard_ns + o->silence_ns;
	return wake;
}

/* RFC 6298, 2.2 and 2.3. Which probe a reply is to is known, so that those to probes that were
 * given up tell as much as others. */
static void learn(struct pl_prober *p, int64_t rtt_ns)
{
	const int64_t off = rtt_ns - p->mean_ns;

	if (!p->warm) {
		p->mean_ns = rtt_ns;
		p->deviation_ns = rtt_ns / 2;
		return;
	}
	p->deviation_ns += ((off < 0 ? -off : off) - p->deviation_ns) / 4;
	p->mean_ns += off / 8;
}

/* The first reply of all, to whichever probe, ends the warm-up. */
static void warm_up(struct pl_prober *p, int64_t rtt_ns, int64_t now_ns)
{
	p->n_open = 0;
	go_on(p, now_ns);
	learn(p, rtt_ns);
	p->warm = true;
	p->losses = 0;
	p->first_seq = p->next_seq;
}

/* One more round trip of the sample. */
static void keep(struct pl_prober *p, uint32_t seq, int64_t rtt_ns, int64_t raw_ns)
{
	const uint64_t k = p->pair.answered++;

	p->flow[k] = (uint8_t)(seq % p->options.n_flows);
	p->rtt_ns[k] = rtt_ns;
	p->raw_ns[k] = raw_ns;
}

int pl_prober_reply(struct pl_prober *p, uint32_t seq, uint32_t hold_ns, int64_t now_ns)
{
	return pl_prober_hear(
		p, &(struct pl_prober_heard){.seq = seq, .hold_ns = hold_ns, .at_ns = now_ns});
}

int pl_prober_hear(struct pl_prober *p, const struct pl_prober_heard *reply)
{
	const uint32_t seq = reply->seq, slot = seq % PL_PROBER_WINDOW;
	const int64_t now_ns = reply->at_ns;
	int64_t rtt_ns, raw_ns;

	if (seq >= p->next_seq)
		return -1;
	if (p->done || (p->warm && seq < p->first_seq) || p->next_seq - seq > PL_PROBER_WINDOW)
		return 0; /* of the warm-up, or too late to be of use */
	if (p->window[slot].answered) {
		p->pair.duplicate++;
		return 0;
	}
	p->window[slot].answered = true;
	rtt_ns = now_ns - p->window[slot].sent_ns;
	raw_ns = rtt_ns + reply->waited_ns;
	rtt_ns = rtt_ns > reply->hold_ns ? rtt_ns - reply->hold_ns : 0;
	p->heard_ns = now_ns;
	if (!p->warm) {
		warm_up(p, rtt_ns, now_ns);
		return 0;
	}
	learn(p, rtt_ns);
	keep(p, seq, rtt_ns, raw_ns);
	if (p->window[slot].open) {
		close_probe(p, seq);
		go_on(p, now_ns);
		p->losses = 0;
	} else {
		p->pair.late++;
		p->pair.lost--;
	}
	return 0;
}

void pl_prober_result(struct pl_prober *p, struct pl_probed_pair *pair)
{
	const struct pl_sample s = sample(p);

	if (!p->warm) /* never a reply: what was sent is lost */
		p->pair.sent = p->pair.lost = p->next_seq;
	p->pair.packets = p->next_seq;
	pl_flows_figures(&s, &p->options.tolerance, &p->pair.rtt);
	*pair = p->pair;
}

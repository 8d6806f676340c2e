/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer.c - flows between hosts, all at once: the coordinator's part */
#include "config.h"

#include "probes/bandwidth/transfer.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define SLACK_NS INT64_C(5000000000) /* for control lines to travel */
#define ENDS 2

/* One set of flows; the fleet's callbacks get it. */
struct transfer {
	struct pl_coordinator *c;
	struct pl_way *way; /* [n] */
	size_t n;
	const struct pl_flow_ask *ask;
	size_t round; /* and the next one, of the other direction */
	/* [n_hosts] the way that a host is the source of, and the destination; NULL: none */
	struct pl_way **from, **to;
};

static struct pl_remote *remote(const struct transfer *t, size_t host)
{
	return &t->c->fleet.v[host];
}

static struct pl_addr addr_of(const struct transfer *t, size_t host)
{
	return remote(t, host)->addr[remote(t, host)->pick];
}

/* The host must answer for one of its two ways, at the latest by then. */
static void owe(struct transfer *t, size_t host, bool *owes, const char *what, int64_t patience_ns)
{
	struct pl_remote *r = remote(t, host);
	int64_t deadline_ns = pl_clock_ns() + patience_ns + SLACK_NS;

	*owes = true;
	if (r->waiting_for && r->deadline_ns > deadline_ns)
		deadline_ns = r->deadline_ns;
	pl_remote_expect(r, what, deadline_ns);
}

/* It has answered, or does not have to. */
static void settle(struct transfer *t, size_t host, bool *owes)
{
	*owes = false;
	if ((!t->from[host] || !t->from[host]->src_owes) &&
	    (!t->to[host] || !t->to[host]->dst_owes))
		remote(t, host)->waiting_for = NULL;
}

/* Nothing more is expected of either end. */
static void fail(struct transfer *t, struct pl_way *way, const char *why)
{
	const struct pl_msg rest = {.kind = PL_MSG_REST, .round = way->round};
	const size_t ends[ENDS] = {way->src, way->dst};

	if (way->state == PL_WAY_FAILED)
		return;
	way->state = PL_WAY_FAILED;
	snprintf(way->why, sizeof(way->why), "%s", why);
	settle(t, way->src, &way->src_owes);
	settle(t, way->dst, &way->dst_owes);
	for (size_t i = 0; i < ENDS; i++)
		if (pl_fleet_is_up(&t->c->fleet, ends[i]))
			pl_fleet_ask(&t->c->fleet, ends[i], &rest, NULL, 0);
}

static void lost(void *arg, size_t host)
{
	struct transfer *t = arg;
	struct pl_way *const ways[ENDS] = {t->from[host], t->to[host]};
	char why[PL_MSG_TEXT];

	snprintf(why, sizeof(why), "%s: %.180s", remote(t, host)->name, remote(t, host)->reason);
	for (size_t i = 0; i < ENDS; i++)
		if (ways[i] && ways[i]->state != PL_WAY_DONE)
			fail(t, ways[i], why);
}

static void take_listening(struct transfer *t, struct pl_way *way, const struct pl_msg *msg)
{
	const struct pl_msg send = {
		.kind = PL_MSG_SEND,
		.round = way->round,
		.peer = (uint16_t)way->dst,
		.ask = *t->ask,
		.addr = addr_of(t, way->dst),
		.port = {msg->port[0]},
		.n_ports = 1,
	};

	way->port = msg->port[0];
	owe(t, way->dst, &way->dst_owes, "be connected to", t->ask->silence_ns);
	owe(t, way->src, &way->src_owes, "connect", t->ask->silence_ns);
	pl_fleet_ask(&t->c->fleet, way->src, &send, NULL, 0);
}

static void take_joined(struct transfer *t, struct pl_way *way, size_t host,
			const struct pl_msg *msg)
{
	if (msg->text[0]) {
		fail(t, way, msg->text);
		return;
	}
	settle(t, host, host == way->src ? &way->src_owes : &way->dst_owes);
	if (!way->src_owes && !way->dst_owes)
		way->state = PL_WAY_READY;
}

static void take_flowed(struct transfer *t, struct pl_way *way, size_t host,
			const struct pl_msg *msg)
{
	const uint64_t resent = way->flow.resent;

	remote(t, host)->refused = msg->refused;
	if (host == way->dst && msg->text[0]) {
		fail(t, way, msg->text);
		return;
	}
	if (host == way->dst)
		way->flow = msg->flow;
	way->flow.resent = host == way->dst ? resent : msg->flow.resent;
	settle(t, host, host == way->src ? &way->src_owes : &way->dst_owes);
	if (!way->src_owes && !way->dst_owes)
		way->state = PL_WAY_DONE;
}

/* Which of a host's ways is a line about? NULL: neither. */
static struct pl_way *find(const struct transfer *t, size_t host, const struct pl_msg *msg)
{
	if (t->from[host] && t->from[host]->round == msg->round)
		return t->from[host];
	if (t->to[host] && t->to[host]->round == msg->round)
		return t->to[host];
	return NULL;
}

/* May this host say that now? */
static bool is_in_turn(const struct pl_way *way, size_t host, const struct pl_msg *msg)
{
	const bool is_src = host == way->src;

	if (msg->peer != (is_src ? way->dst : way->src) ||
	    !(is_src ? way->src_owes : way->dst_owes))
		return false;
	if (msg->kind == PL_MSG_LISTENING)
		return !is_src && way->port == 0;
	if (msg->kind == PL_MSG_JOINED) /* or the reason why it does not
					 * listen */
		return way->state == PL_WAY_BEGUN && (way->port > 0 || msg->text[0]);
	return msg->kind == PL_MSG_FLOWED && way->state == PL_WAY_READY;
}

/* Said of a round that was called off meanwhile, or of one with its number. */
static bool is_late(const struct transfer *t, const struct pl_way *way, const struct pl_msg *msg)
{
	if (msg->kind != PL_MSG_RESULT && msg->kind != PL_MSG_LISTENING &&
	    msg->kind != PL_MSG_JOINED && msg->kind != PL_MSG_FLOWED)
		return false;
	return way ? way->state == PL_WAY_FAILED : msg->round < t->c->round_base;
}

static void message(void *arg, size_t host, const struct pl_msg *msg)
{
	struct transfer *t = arg;
	struct pl_way *way = find(t, host, msg);

	if (is_late(t, way, msg))
		return;
	if (!way || !is_in_turn(way, host, msg))
		pl_fleet_lose(&t->c->fleet, host, "its agent answered out of turn");
	else if (msg->kind == PL_MSG_LISTENING)
		take_listening(t, way, msg);
	else if (msg->kind == PL_MSG_JOINED)
		take_joined(t, way, host, msg);
	else
		take_flowed(t, way, host, msg);
}

/* To listen. A host that is down loses its ways. */
static void begin(struct transfer *t, struct pl_way *way)
{
	const struct pl_msg receive = {
		.kind = PL_MSG_RECEIVE,
		.round = way->round,
		.peer = (uint16_t)way->src,
		.ask = *t->ask,
		.addr = addr_of(t, way->src),
	};

	if (!pl_fleet_is_up(&t->c->fleet, way->src)) {
		lost(t, way->src);
	} else if (!pl_fleet_is_up(&t->c->fleet, way->dst)) {
		lost(t, way->dst);
	} else {
		owe(t, way->dst, &way->dst_owes, "listen", 0);
		pl_fleet_ask(&t->c->fleet, way->dst, &receive, NULL, 0);
	}
}

/* Both ends are to report. */
static void let_go(struct transfer *t, struct pl_way *way)
{
	const struct pl_msg go = {.kind = PL_MSG_GO, .round = way->round};
	/* to flow, to drain, and twice to find that nothing comes */
	const int64_t patience_ns = t->ask->limit_ns + 4 * t->ask->silence_ns;

	owe(t, way->src, &way->src_owes, "end its flow", patience_ns);
	owe(t, way->dst, &way->dst_owes, "end its flow", patience_ns);
	pl_fleet_ask(&t->c->fleet, way->dst, &go, NULL, 0);
}

static void tick(void *arg)
{
	const struct transfer *t = arg;

	if (t->c->tick && t->c->tick(t->c->arg))
		t->c->no_memory = true;
}

static int run(struct transfer *t, struct pl_err *err)
{
	for (size_t k = 0; k < t->n; k++) {
		struct pl_way *way = &t->way[k];

		*way = (struct pl_way){
			.src = way->src,
			.dst = way->dst,
			.round = (uint16_t)(t->round + (way->src > way->dst)),
		};
		t->from[way->src] = way;
		t->to[way->dst] = way;
	}
	for (size_t k = 0; k < t->n; k++)
		begin(t, &t->way[k]);
	if (pl_fleet_wait(&t->c->fleet, err))
		return -1;
	for (size_t k = 0; k < t->n; k++)
		if (t->way[k].state == PL_WAY_READY)
			let_go(t, &t->way[k]);
	return pl_fleet_wait(&t->c->fleet, err);
}

bool pl_transfer_has_rounds(const struct pl_coordinator *c, size_t left)
{
	return c->round_base + ENDS * (left + 1) <= PL_ROUNDS_MAX;
}

int pl_transfer_round(struct pl_coordinator *c, size_t *round, struct pl_err *err)
{
	if (c->round_base + ENDS > PL_ROUNDS_MAX)
		return pl_err_set(
			err, PL_EUSAGE,
			"more than %u rounds; measure fewer hosts, or --bandwidth=together",
			PL_ROUNDS_MAX);
	*round = c->round_base;
	c->round_base += ENDS;
	return 0;
}

int pl_transfer(struct pl_coordinator *c, size_t round, struct pl_way *way, size_t n,
		const struct pl_flow_ask *ask, struct pl_err *err)
{
	struct pl_fleet *fleet = &c->fleet;
	struct transfer t = {.c = c, .way = way, .n = n, .ask = ask, .round = round};
	int status = -1;

	if (n == 0)
		return 0;
	t.from = pl_array_create(fleet->n, sizeof(*t.from));
	t.to = pl_array_create(fleet->n, sizeof(*t.to));
	if (!t.from || !t.to) {
		pl_err_nomem(err);
		goto out;
	}
	fleet->message = message;
	fleet->lost = lost;
	fleet->tick = tick;
	fleet->arg = &t;
	status = run(&t, err);
	fleet->message = pl_pass_message;
	fleet->lost = pl_pass_lost;
	fleet->tick = pl_pass_tick;
	fleet->arg = c;
	if (!status && c->no_memory)
		status = pl_err_nomem(err);
out:
	free(t.from);
	free(t.to);
	return status;
}

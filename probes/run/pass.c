/* SPDX-License-Identifier: BSD-3-Clause */
/* pass.c - a set of pairs measured, each as soon as both its hosts are free */
#include "config.h"

#include "base/clock.h"
#include "base/priority.h"
#include "probes/run/budget.h"
#include "probes/run/coordinator.h"

#include <stdio.h>

#define S INT64_C(1000000000)
/* A pair that never gets its probes together ends after so many pair_ns, and so long, and so many
 * gaps, for each reply wanted. */
#define LIMIT_PAIRS 20
#define LIMIT_PROBE_NS (S / 10)
#define LIMIT_GAPS 3
#define LIMIT_MAX_NS (86400 * S)
#define SLACK_NS (5 * S) /* for lines to travel */
#define SHOW_NS (S / 10) /* progress, not more often */

int64_t pl_pass_limit(const struct pl_probe_options *o)
{
	const int64_t probe_ns = LIMIT_PROBE_NS + LIMIT_GAPS * o->gap_ns;
	const int64_t ns = LIMIT_PAIRS * o->pair_ns + o->silence_ns + probe_ns * o->probes_min;

	return ns < LIMIT_MAX_NS ? ns : LIMIT_MAX_NS;
}

static uint16_t round_of(const struct pl_coordinator *c, size_t k)
{
	return (uint16_t)(c->round_base + c->agenda.meet[k].round);
}

static size_t other(const struct pl_meet *meet, size_t host)
{
	return meet->a == host ? meet->b : meet->a;
}

static bool measures(const struct pl_meet *meet, size_t host)
{
	return meet->ways & (meet->a == host ? PL_MEET_FORTH : PL_MEET_BACK);
}

static void report_progress(struct pl_coordinator *c)
{
	const bool last = c->agenda.n_ended == c->agenda.n_meets;
	const int64_t now_ns = pl_clock_ns();

	if (!last && now_ns - c->shown_ns < SHOW_NS)
		return;
	c->shown_ns = now_ns;
	pl_coordinator_show(c, c->phase ? c->phase : "measuring", "pairs", c->agenda.n_ended,
			    c->agenda.n_meets);
}

/* Packets that each way of the next pair may take; 0: the budget is spent. There is a next pair. */
static uint32_t allowance(const struct pl_coordinator *c)
{
	const struct pl_probe_options *o = c->fleet.options;

	if (o->budget_probes == 0)
		return PL_PACKETS_LIMIT;
	return pl_budget_share(o->budget_probes, c->n_committed, c->agenda.n_left, o->probes_min);
}

static void tell_meet(struct pl_coordinator *c, size_t k, size_t host)
{
	const struct pl_meet *meet = &c->agenda.meet[k];
	const size_t peer = other(meet, host);
	const struct pl_remote *p = &c->fleet.v[peer];
	const bool asks = measures(meet, host);
	struct pl_msg msg = {
		.kind = asks ? PL_MSG_ROUND : PL_MSG_ANSWER,
		.round = round_of(c, k),
		.peer = (uint16_t)peer,
		.addr = p->addr[p->pick],
		.packets_max = c->allowed[host],
		.n_ports = p->n_ports < c->fleet.v[host].n_ports ? p->n_ports
								 : c->fleet.v[host].n_ports,
	};

	for (unsigned i = 0; i < msg.n_ports; i++)
		msg.port[i] = p->port[i];
	pl_fleet_ask(&c->fleet, host, &msg, asks ? "finish a round" : NULL,
		     pl_clock_ns() + pl_pass_limit(c->fleet.options) + SLACK_NS);
}

/* Telling may lose a host, and with it the meeting. */
static void begin_meet(struct pl_coordinator *c, size_t k, uint32_t most)
{
	const size_t ends[] = {c->agenda.meet[k].a, c->agenda.meet[k].b};

	for (size_t i = 0; i < 2; i++) {
		c->allowed[ends[i]] = 0;
		if (measures(&c->agenda.meet[k], ends[i]))
			c->allowed[ends[i]] = most;
		c->n_committed += c->allowed[ends[i]];
	}
	for (size_t i = 0; i < 2 && pl_agenda_is_on(&c->agenda, k); i++)
		tell_meet(c, k, ends[i]);
}

static void begin_next(struct pl_coordinator *c, size_t host)
{
	size_t k;

	while (!c->budget_is_spent && pl_fleet_is_up(&c->fleet, host)) {
		uint32_t most;

		if (c->agenda.n_left == 0)
			return;
		most = allowance(c);
		if (most == 0) {
			c->budget_is_spent = true;
			return;
		}
		k = pl_agenda_begin(&c->agenda, host);
		if (k == PL_AGENDA_NONE)
			return;
		begin_meet(c, k, most);
	}
}

static void end_meet(struct pl_coordinator *c, size_t k)
{
	const struct pl_meet meet = c->agenda.meet[k];

	pl_agenda_end(&c->agenda, k);
	report_progress(c);
	if (c->budget_is_spent) {
		/* what this one has not used may do for others */
		c->budget_is_spent = false;
		for (size_t h = 0; h < c->fleet.n; h++)
			begin_next(c, h);
		return;
	}
	begin_next(c, meet.a);
	begin_next(c, meet.b);
}

/* Why a pair has fewer replies than wanted; empty when it has not. */
static void remark(const struct pl_coordinator *c, const struct pl_msg *msg, char *out, size_t size)
{
	const struct pl_probe_options *o = c->fleet.options;
	const struct pl_probed_pair *p = &msg->pair;

	out[0] = '\0';
	if (msg->text[0])
		snprintf(out, size, "%s", msg->text);
	else if (p->answered == 0)
		snprintf(out, size, "no reply within %g s", (double)o->silence_ns / (double)S);
	else if (p->answered < o->probes_min)
		snprintf(out, size, "only %llu replies to %llu probes",
			 (unsigned long long)p->answered, (unsigned long long)p->sent);
}

/* Was the result under way when its meeting was called off? */
static bool is_of_the_past(const struct pl_coordinator *c, size_t host, const struct pl_msg *msg)
{
	size_t k;

	if (msg->round < c->round_base)
		return true;
	k = pl_agenda_find(&c->agenda, host, msg->peer);
	return k != PL_AGENDA_NONE && c->agenda.begun[k] && round_of(c, k) == msg->round;
}

static void take_result(struct pl_coordinator *c, size_t host, const struct pl_msg *msg)
{
	struct pl_remote *r = &c->fleet.v[host];
	const size_t k = c->agenda.busy[host];
	char text[PL_MSG_TEXT];

	r->refused = msg->refused;
	if (!pl_agenda_is_on(&c->agenda, k) || msg->round != round_of(c, k) ||
	    msg->peer != other(&c->agenda.meet[k], host)) {
		if (!is_of_the_past(c, host, msg))
			pl_fleet_lose(&c->fleet, host, "its agent answered for another round");
		return;
	}
	r->waiting_for = NULL;
	c->n_packets += msg->pair.packets;
	c->n_committed -= c->allowed[host];
	c->n_committed += msg->pair.packets;
	remark(c, msg, text, sizeof(text));
	if (c->take(c->arg, host, msg->peer, &msg->pair, text))
		c->no_memory = true;
	if (!c->fleet.v[msg->peer].waiting_for)
		end_meet(c, k);
}

/* Said of a flow that was called off when the run was. */
static bool is_of_flows(const struct pl_coordinator *c, const struct pl_msg *msg)
{
	return (msg->kind == PL_MSG_LISTENING || msg->kind == PL_MSG_JOINED ||
		msg->kind == PL_MSG_FLOWED) &&
	       msg->round < c->round_base;
}

void pl_pass_message(void *arg, size_t host, const struct pl_msg *msg)
{
	struct pl_coordinator *c = arg;
	struct pl_remote *r = &c->fleet.v[host];

	if (msg->kind == PL_MSG_BYE && r->ending) {
		r->refused = msg->refused;
		r->stale = msg->stale;
		r->waiting_for = NULL;
	} else if (msg->kind == PL_MSG_BOUND && r->waiting_for && !r->n_ports) {
		for (unsigned k = 0; k < msg->n_ports; k++)
			r->port[k] = msg->port[k];
		r->n_ports = msg->n_ports;
		r->echo_ns = msg->echo_ns;
		r->waiting_for = NULL;
	} else if (msg->kind == PL_MSG_COST && r->waiting_for && !c->in_pass) {
		r->cost = msg->cost;
		r->waiting_for = NULL;
	} else if (is_of_flows(c, msg)) {
		return;
	} else if (msg->kind == PL_MSG_RESULT && r->n_ports) {
		if (c->in_pass && r->waiting_for && !r->ending)
			take_result(c, host, msg);
	} else {
		pl_fleet_lose(&c->fleet, host, "its agent answered out of turn");
	}
}

void pl_pass_tick(void *arg)
{
	struct pl_coordinator *c = arg;

	if (c->in_pass && c->tick && c->tick(c->arg))
		c->no_memory = true;
	if (c->fleet.starting)
		pl_coordinator_show(c, "starting", "hosts", pl_fleet_n_up(&c->fleet), c->fleet.n);
}

/* Whoever was measuring with the lost host goes on with another one. May be told of one host more
 * than once. */
void pl_pass_lost(void *arg, size_t host)
{
	struct pl_coordinator *c = arg;
	struct pl_msg rest = {.kind = PL_MSG_REST};
	size_t k, peer;

	if (!c->in_pass)
		return;
	k = c->agenda.busy[host];
	if (!pl_agenda_is_on(&c->agenda, k)) {
		pl_agenda_leave(&c->agenda, host);
		return;
	}
	peer = other(&c->agenda.meet[k], host);
	rest.round = round_of(c, k);
	pl_agenda_end(&c->agenda, k);
	pl_agenda_leave(&c->agenda, host);
	if (!pl_fleet_is_up(&c->fleet, peer))
		return;
	c->fleet.v[peer].waiting_for = NULL;
	pl_fleet_ask(&c->fleet, peer, &rest, NULL, 0);
	begin_next(c, peer);
}

int pl_coordinator_pass(struct pl_coordinator *c, const struct pl_meet *v, size_t n,
			struct pl_err *err)
{
	struct pl_priority before;
	int status;

	if (pl_agenda_init(&c->agenda, v, n, c->fleet.n, err))
		return -1;
	if (c->round_base + c->agenda.n_rounds > PL_ROUNDS_MAX) {
		pl_agenda_fini(&c->agenda);
		return pl_err_set(
			err, PL_EUSAGE,
			"more than %u rounds; measure fewer hosts, or few pairs (--sparse)",
			PL_ROUNDS_MAX);
	}
	/* while it waits for a processor, hosts wait for their next pair */
	pl_priority_raise(&before);
	c->in_pass = true;
	report_progress(c);
	for (size_t h = 0; h < c->fleet.n; h++)
		if (pl_remote_is_lost(&c->fleet.v[h]))
			pl_agenda_leave(&c->agenda, h);
	for (size_t h = 0; h < c->fleet.n; h++)
		begin_next(c, h);
	status = pl_fleet_wait(&c->fleet, err);
	c->in_pass = false;
	pl_priority_restore(&before);
	c->budget_is_spent = c->budget_is_spent && c->agenda.n_left > 0;
	c->round_base += c->agenda.n_rounds;
	pl_agenda_fini(&c->agenda);
	if (!status && c->no_memory)
		return pl_err_nomem(err);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinator.c - a run from the first agent to the last round */
#include "config.h"

#include "probes/coordinator.h"

#include "probes/schedule.h"
#include "src/mem.h"
#include "src/tool.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S INT64_C(1000000000)
/* A pair that never gets its probes together ends after so many pair_ns, and so
 * long for each reply wanted. */
#define LIMIT_PAIRS 20
#define LIMIT_PROBE_NS (S / 10)
#define LIMIT_MAX_NS (86400 * S)
#define ROUND_SLACK_NS (5 * S) /* for lines to travel */

static int64_t limit(const struct pl_probe_options *o)
{
	const int64_t ns = LIMIT_PAIRS * o->pair_ns + o->silence_ns +
			   LIMIT_PROBE_NS * o->probes_min;

	return ns < LIMIT_MAX_NS ? ns : LIMIT_MAX_NS;
}

static struct pl_prober_options settings(const struct pl_probe_options *o)
{
	return (struct pl_prober_options){
		.probes_min = o->probes_min,
		.probes_max = o->probes_max,
		.tolerance = {.share = o->precision, .ns = o->precision_ns},
		.gap_ns = o->gap_ns,
		.pair_ns = o->pair_ns,
		.limit_ns = limit(o),
		.silence_ns = o->silence_ns,
	};
}

/* Whom the host meets in the present round, or PL_SCHEDULE_REST. */
static size_t peer_of(const struct pl_coordinator *c, size_t host)
{
	size_t peer;

	if (c->place[host] == PL_SCHEDULE_REST)
		return PL_SCHEDULE_REST;
	peer = pl_schedule_peer(c->n_alive, c->round, c->place[host]);
	return peer == PL_SCHEDULE_REST ? peer : c->alive[peer];
}

/* Why a pair has fewer replies than wanted; empty when it has not. */
static void remark(const struct pl_coordinator *c, const struct pl_msg *msg,
		   char *out, size_t size)
{
	const struct pl_probe_options *o = c->fleet.options;
	const struct pl_pair *p = &msg->pair;

	out[0] = '\0';
	if (msg->text[0])
		snprintf(out, size, "%s", msg->text);
	else if (p->answered == 0)
		snprintf(out, size, "no reply within %g s",
			 (double)o->silence_ns / (double)S);
	else if (p->answered < o->probes_min)
		snprintf(out, size, "only %llu replies to %llu probes",
			 (unsigned long long)p->answered,
			 (unsigned long long)p->sent);
}

static void take_result(struct pl_coordinator *c, size_t host,
			const struct pl_msg *msg)
{
	struct pl_remote *r = &c->fleet.v[host];
	const size_t peer = peer_of(c, host);
	char text[PL_MSG_TEXT];

	r->refused = msg->refused;
	if (msg->round < c->round)
		return; /* under way when that round was called off */
	if (msg->peer != peer || msg->round != c->round) {
		pl_fleet_lose(&c->fleet, host,
			      "its agent answered for another round");
		return;
	}
	r->waiting_for = NULL;
	c->n_probes += msg->pair.sent;
	remark(c, msg, text, sizeof(text));
	if (pl_collect_pair(c->collect, host, peer, &msg->pair, text))
		c->no_memory = true;
}

static void on_message(void *arg, size_t host, const struct pl_msg *msg)
{
	struct pl_coordinator *c = arg;
	struct pl_remote *r = &c->fleet.v[host];

	if (msg->kind == PL_MSG_BYE && r->ending) {
		r->refused = msg->refused;
		r->stale = msg->stale;
		r->waiting_for = NULL;
	} else if (msg->kind == PL_MSG_BOUND && r->waiting_for && !r->port) {
		r->port = msg->port;
		r->waiting_for = NULL;
	} else if (msg->kind == PL_MSG_RESULT && r->port) {
		if (r->waiting_for && !r->ending)
			take_result(c, host, msg);
	} else {
		pl_fleet_lose(&c->fleet, host,
			      "its agent answered out of turn");
	}
}

static void tell_rest(struct pl_coordinator *c, size_t host)
{
	const struct pl_msg rest = {.kind = PL_MSG_REST,
				    .round = (uint16_t)c->round};

	c->fleet.v[host].waiting_for = NULL;
	pl_fleet_ask(&c->fleet, host, &rest, NULL, 0);
}

/* Whoever was measuring with the lost host need not wait for it. */
static void on_lost(void *arg, size_t host)
{
	struct pl_coordinator *c = arg;
	size_t peer;

	if (!c->in_round)
		return;
	peer = peer_of(c, host);
	if (peer != PL_SCHEDULE_REST && c->fleet.v[peer].waiting_for &&
	    pl_fleet_is_up(&c->fleet, peer))
		tell_rest(c, peer);
}

int pl_coordinator_init(struct pl_coordinator *c, const struct pl_hosts *hosts,
			const struct pl_probe_options *options,
			const char *command, struct pl_collect *collect)
{
	memset(c, 0, sizeof(*c));
	c->collect = collect;
	c->fleet.options = options;
	c->fleet.command = command;
	c->fleet.message = on_message;
	c->fleet.lost = on_lost;
	c->fleet.arg = c;
	randombytes_buf(c->key, sizeof(c->key));
	randombytes_buf(&c->run, sizeof(c->run));
	c->place = pl_array_create(hosts->n, sizeof(*c->place));
	c->alive = pl_array_create(hosts->n, sizeof(*c->alive));
	if (!c->place || !c->alive)
		return -1;
	return pl_fleet_init(&c->fleet, hosts);
}

void pl_coordinator_fini(struct pl_coordinator *c)
{
	pl_fleet_fini(&c->fleet);
	free(c->place);
	free(c->alive);
	sodium_memzero(c->key, sizeof(c->key));
}

/* Who is there takes part; place[] is the way back. */
static void count_alive(struct pl_coordinator *c)
{
	c->n_alive = 0;
	for (size_t i = 0; i < c->fleet.n; i++) {
		c->place[i] = PL_SCHEDULE_REST;
		if (pl_fleet_is_up(&c->fleet, i)) {
			c->place[i] = c->n_alive;
			c->alive[c->n_alive++] = i;
		}
	}
}

static int choose_addresses(struct pl_coordinator *c, struct pl_err *err)
{
	struct pl_addr_offer *offer;
	size_t *pick;
	int status = -1;

	offer = pl_array_create(c->n_alive, sizeof(*offer));
	pick = pl_array_create(c->n_alive, sizeof(*pick));
	if (!offer || !pick) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t k = 0; k < c->n_alive; k++) {
		const struct pl_remote *r = &c->fleet.v[c->alive[k]];

		offer[k] = (struct pl_addr_offer){r->name, r->addr, r->n_addr};
	}
	status = pl_addr_choose(offer, c->n_alive,
				c->fleet.options->iface != NULL, pick, err);
	for (size_t k = 0; !status && k < c->n_alive; k++)
		c->fleet.v[c->alive[k]].pick = pick[k];
out:
	free(offer);
	free(pick);
	return status;
}

/* RUN and SETTINGS to all; each answers with its port. */
static int bind_all(struct pl_coordinator *c, struct pl_err *err)
{
	const struct pl_probe_options *o = c->fleet.options;
	struct pl_msg run = {.kind = PL_MSG_RUN, .run = c->run};
	const struct pl_msg set = {.kind = PL_MSG_SETTINGS,
				   .settings = settings(o)};

	memcpy(run.key, c->key, sizeof(run.key));
	for (size_t k = 0; k < c->n_alive; k++) {
		const size_t host = c->alive[k];
		const struct pl_remote *r = &c->fleet.v[host];

		run.self = (uint16_t)host;
		run.addr = r->addr[r->pick];
		pl_fleet_ask(&c->fleet, host, &run, "bind its port",
			     pl_tool_clock_ns() + o->start_ns);
		if (pl_fleet_is_up(&c->fleet, host))
			pl_fleet_ask(&c->fleet, host, &set, NULL, 0);
	}
	sodium_memzero(&run, sizeof(run));
	return pl_fleet_wait(&c->fleet, err);
}

int pl_coordinator_start(struct pl_coordinator *c, struct pl_err *err)
{
	if (pl_fleet_start(&c->fleet, err))
		return -1;
	count_alive(c);
	if (c->n_alive == 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "no host could be reached; %s: %s",
				  c->fleet.v[0].name, c->fleet.v[0].reason);
	if (choose_addresses(c, err) || bind_all(c, err))
		return -1;
	count_alive(c);
	if (c->n_alive == 0)
		return pl_err_set(err, PL_ESYSTEM,
				  "no agent is ready to measure; %s: %s",
				  c->fleet.v[0].name, c->fleet.v[0].reason);
	return 0;
}

static void begin_pair(struct pl_coordinator *c, size_t host, size_t peer)
{
	const struct pl_remote *p = &c->fleet.v[peer];
	const struct pl_msg msg = {
		.kind = PL_MSG_ROUND,
		.round = (uint16_t)c->round,
		.peer = (uint16_t)peer,
		.addr = p->addr[p->pick],
		.port = p->port,
	};

	pl_fleet_ask(&c->fleet, host, &msg, "finish a round",
		     pl_tool_clock_ns() + limit(c->fleet.options) +
			     ROUND_SLACK_NS);
}

static void report_progress(const struct pl_coordinator *c)
{
	const struct pl_probe_options *o = c->fleet.options;
	const struct pl_probe_progress now = {
		.round = c->round,
		.n_rounds = pl_schedule_rounds(c->n_alive),
		.n_alive = pl_fleet_n_up(&c->fleet),
		.n_hosts = c->fleet.n,
		.n_probes = c->n_probes,
	};

	if (o->progress)
		o->progress(o->progress_arg, &now);
}

static int run_round(struct pl_coordinator *c, struct pl_err *err)
{
	c->in_round = true;
	for (size_t k = 0; k < c->n_alive; k++) {
		const size_t host = c->alive[k], peer = peer_of(c, host);

		if (!pl_fleet_is_up(&c->fleet, host))
			continue;
		if (peer == PL_SCHEDULE_REST ||
		    !pl_fleet_is_up(&c->fleet, peer))
			tell_rest(c, host);
		else
			begin_pair(c, host, peer);
	}
	if (pl_fleet_wait(&c->fleet, err))
		return -1;
	c->in_round = false;
	return 0;
}

void pl_coordinator_stop(struct pl_coordinator *c)
{
	c->in_round = false;
	pl_fleet_stop(&c->fleet);
}

int pl_coordinator_rounds(struct pl_coordinator *c, struct pl_err *err)
{
	const size_t n_rounds = pl_schedule_rounds(c->n_alive);

	report_progress(c);
	while (c->round < n_rounds) {
		if (run_round(c, err))
			return -1;
		c->round++;
		report_progress(c);
		if (c->no_memory)
			return pl_err_nomem(err);
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinator.c - a run from the first agent to the last pair */
#include "config.h"

#include "probes/run/coordinator.h"

#include "base/clock.h"
#include "base/mem.h"
#include "probes/launch/launch.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static struct pl_prober_options settings(const struct pl_probe_options *o)
{
	return (struct pl_prober_options){
		.probes_min = o->probes_min,
		.probes_max = o->probes_max,
		.tolerance = {.share = o->precision, .ns = PL_PROBE_PRECISION_NS},
		.gap_ns = o->gap_ns,
		.pair_ns = o->pair_ns,
		.limit_ns = pl_pass_limit(o),
		.silence_ns = o->silence_ns,
	};
}

int pl_coordinator_init(struct pl_coordinator *c, const struct pl_hosts *hosts,
			const struct pl_probe_options *options, const char *command,
			struct pl_err *err)
{
	memset(c, 0, sizeof(*c));
	c->fleet.options = options;
	c->fleet.command = command;
	c->fleet.message = pl_pass_message;
	c->fleet.lost = pl_pass_lost;
	c->fleet.tick = pl_pass_tick;
	c->fleet.arg = c;
	c->fleet.until_ns = INT64_MAX;
	pl_nocore_begin(&c->cores);
	randombytes_buf(c->key, sizeof(c->key));
	randombytes_buf(&c->run, sizeof(c->run));
	c->alive = pl_array_create(hosts->n, sizeof(*c->alive));
	c->allowed = pl_array_create(hosts->n, sizeof(*c->allowed));
	if (!c->alive || !c->allowed)
		return pl_err_nomem(err);
	return pl_fleet_init(&c->fleet, hosts, err);
}

void pl_coordinator_fini(struct pl_coordinator *c)
{
	pl_fleet_fini(&c->fleet);
	free(c->alive);
	free(c->allowed);
	sodium_memzero(c->key, sizeof(c->key));
	pl_nocore_end(&c->cores);
}

static void count_alive(struct pl_coordinator *c)
{
	c->n_alive = 0;
	for (size_t i = 0; i < c->fleet.n; i++)
		if (pl_fleet_is_up(&c->fleet, i))
			c->alive[c->n_alive++] = i;
}

static int choose_addresses(struct pl_coordinator *c, struct pl_err *err)
{
	struct pl_addr_offer *offer;
	size_t *pick;
	int status = -1;
	const bool by_ssh = pl_launch_is_ssh(c->fleet.options->launch);

	offer = pl_array_create(c->n_alive, sizeof(*offer));
	pick = pl_array_create(c->n_alive, sizeof(*pick));
	if (!offer || !pick) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t k = 0; k < c->n_alive; k++) {
		const struct pl_remote *r = &c->fleet.v[c->alive[k]];

		offer[k] = (struct pl_addr_offer){r->name, r->addr, r->n_addr,
						  by_ssh && r->reached.family ? &r->reached : NULL};
	}
	status = pl_addr_choose(offer, c->n_alive, c->fleet.options->iface != NULL, pick, err);
	if (!status && pl_addr_describe(offer, c->n_alive, pick, c->network))
		status = pl_err_nomem(err);
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
	struct pl_msg run = {
		.kind = PL_MSG_RUN,
		.run = c->run,
		.n_flows = o->flows,
	};
	const struct pl_msg set = {.kind = PL_MSG_SETTINGS, .settings = settings(o)};

	memcpy(run.key, c->key, sizeof(run.key));
	for (size_t k = 0; k < c->n_alive; k++) {
		const size_t host = c->alive[k];
		const struct pl_remote *r = &c->fleet.v[host];

		run.self = (uint16_t)host;
		run.addr = r->addr[r->pick];
		pl_fleet_ask(&c->fleet, host, &run, "bind its port", pl_clock_ns() + o->start_ns);
		if (pl_fleet_is_up(&c->fleet, host))
			pl_fleet_ask(&c->fleet, host, &set, NULL, 0);
	}
	sodium_memzero(&run, sizeof(run));
	return pl_fleet_wait(&c->fleet, err);
}

/* On all hosts at once, as their processes will run: hosts that share processors show it. */
static int measure_costs(struct pl_coordinator *c, struct pl_err *err)
{
	static const struct pl_msg costs = {.kind = PL_MSG_COSTS};
	const int64_t until_ns = pl_clock_ns() + c->fleet.options->start_ns;

	for (size_t k = 0; k < c->n_alive; k++)
		pl_fleet_ask(&c->fleet, c->alive[k], &costs, "measure what messages cost",
			     until_ns);
	return pl_fleet_wait(&c->fleet, err);
}

/* Tells options->fault which hosts were lost for which known reason. */
static int tell_faults(const struct pl_coordinator *c)
{
	const struct pl_probe_options *o = c->fleet.options;
	const char **host = pl_array_create(c->fleet.n, sizeof(*host));
	const struct pl_launch_fault *fault;

	for (size_t k = 0; host && o->fault; k++) {
		size_t n = 0;

		fault = pl_launch_fault_row(k);
		if (!fault)
			break;
		for (size_t i = 0; i < c->fleet.n; i++)
			if (pl_remote_is_lost(&c->fleet.v[i]) && c->fleet.v[i].fault == fault)
				host[n++] = c->fleet.v[i].name;
		if (n > 0)
			o->fault(o->fault_arg, fault, host, n);
	}
	free(host);
	return host ? 0 : -1;
}

int pl_coordinator_start(struct pl_coordinator *c, struct pl_err *err)
{
	const int status = pl_fleet_start(&c->fleet, err);

	if (tell_faults(c))
		return pl_err_nomem(err);
	if (status)
		return -1;
	count_alive(c);
	if (c->n_alive == 0)
		return pl_err_set(err, PL_ESYSTEM, "no host could be reached; %s: %s",
				  c->fleet.v[0].name, c->fleet.v[0].reason);
	if (choose_addresses(c, err) || bind_all(c, err))
		return -1;
	count_alive(c);
	if (measure_costs(c, err))
		return -1;
	count_alive(c);
	if (c->n_alive == 0)
		return pl_err_set(err, PL_ESYSTEM, "no agent is ready to measure; %s: %s",
				  c->fleet.v[0].name, c->fleet.v[0].reason);
	return 0;
}

void pl_coordinator_show(const struct pl_coordinator *c, const char *phase, const char *unit,
			 size_t n_done, size_t n_all)
{
	const struct pl_probe_options *o = c->fleet.options;
	struct pl_probe_progress now = {
		.phase = phase,
		.unit = unit,
		.n_done = n_done,
		.n_all = n_all,
		.n_hosts = c->fleet.n,
		.n_probes = c->n_packets,
	};

	if (!o->progress)
		return;
	now.n_alive = pl_fleet_n_up(&c->fleet);
	for (size_t i = 0; c->fleet.starting && i < c->fleet.n; i++)
		if (!now.waiting_for && !pl_fleet_is_up(&c->fleet, i) &&
		    !pl_remote_is_lost(&c->fleet.v[i]))
			now.waiting_for = c->fleet.v[i].name;
	o->progress(o->progress_arg, &now);
}

void pl_coordinator_stop(struct pl_coordinator *c)
{
	c->in_pass = false;
	pl_fleet_stop(&c->fleet);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.c - what an agent does when the coordinator asks for it */
#include "config.h"

#include "base/clock.h"
#include "probes/agent/parts.h"
#include "probes/agent/wire.h"

#include <sodium.h>
#include <string.h>

static int begin_run(struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	struct pl_msg answer = {.kind = PL_MSG_BOUND};

	if (a->has_run)
		return pl_err_set(err, PL_EINPUT, "a second run");
	if (pl_wire_bind_many(&msg->addr, a->options->ports.min, a->options->ports.max,
			      msg->n_flows, a->udp, answer.port, &a->n_udp, err))
		return -1;
	answer.n_ports = a->n_udp;
	answer.echo_ns = pl_echo_self(a->udp[0], &a->clock, &msg->addr, answer.port[0]);
	a->exchange.run = msg->run;
	a->exchange.self = msg->self;
	memcpy(a->exchange.key, msg->key, sizeof(msg->key));
	a->flow_run = (struct pl_flow_run){
		.run = msg->run,
		.self = msg->self,
		.addr = msg->addr,
		.ports = a->options->ports,
	};
	memcpy(a->flow_run.key, msg->key, sizeof(msg->key));
	a->has_run = true;
	return pl_agent_tell(a, &answer, err);
}

void pl_agent_stop_probing(struct pl_agent *a)
{
	pl_prober_fini(&a->prober);
	a->probing = false;
}

/* Nobody is answered from now on. */
static void fall_silent(struct pl_agent *a)
{
	pl_agent_stop_probing(a);
	pl_exchange_close(&a->exchange);
}

/* Nothing listens. */
void pl_agent_end_flows(struct pl_agent *a)
{
	for (size_t k = 0; k < 2; k++)
		pl_flow_end(&a->flow[k]);
	if (a->gives_way)
		sched_setscheduler(0, a->policy, &a->priority);
	a->gives_way = false;
}

/* While millions of bytes arrive, this process' priority must not keep the kernel from handing them
 * over. */
static void give_way(struct pl_agent *a)
{
	const struct sched_param none = {0};

	if (a->gives_way)
		return;
	a->policy = sched_getscheduler(0);
	a->gives_way = a->policy >= 0 && !sched_getparam(0, &a->priority);
	if (a->gives_way)
		sched_setscheduler(0, SCHED_OTHER, &none);
}

/* From now on only that peer is answered. */
static int meet(struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	struct sockaddr_storage addr[PL_FLOWS_MAX];

	if (!a->has_run || a->settings.probes_max == 0)
		return pl_err_set(err, PL_EINPUT, "a round before the run");
	if (msg->n_ports > a->n_udp)
		return pl_err_set(err, PL_EINPUT, "the peer has more flows than ports");
	pl_agent_stop_probing(a);
	pl_agent_end_flows(a);
	for (unsigned k = 0; k < msg->n_ports; k++)
		pl_addr_socket(&msg->addr, msg->port[k], &addr[k]);
	pl_exchange_open(&a->exchange, msg->round, msg->peer, addr, msg->n_ports);
	pl_agent_answer_early(a);
	return 0;
}

static int begin_round(struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	struct pl_prober_options o = a->settings;

	if (meet(a, msg, err))
		return -1;
	o.n_flows = msg->n_ports;
	o.packets_max = msg->packets_max;
	if (pl_prober_init(&a->prober, &o, pl_clock_ns()))
		return pl_err_nomem(err);
	a->prober.chance = randombytes_uniform;
	a->probing = true;
	a->send_errno = 0;
	return 0;
}

/* A flow of bytes: no probes meanwhile. */
static int begin_flow(struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	struct pl_msg listening;

	if (!a->has_run)
		return pl_err_set(err, PL_EINPUT, "a flow before the run");
	fall_silent(a);
	give_way(a);
	if (msg->kind == PL_MSG_SEND) {
		pl_flow_send(&a->flow[PL_AGENT_SENDS], &a->flow_run, msg, pl_clock_ns());
		return 0;
	}
	pl_flow_receive(&a->flow[PL_AGENT_RECEIVES], &a->flow_run, msg, pl_clock_ns(), &listening);
	return pl_agent_tell(a, &listening, err);
}

/* A flow that has ended meanwhile has reported why. */
static int let_go(struct pl_agent *a, uint16_t round, struct pl_err *err)
{
	struct pl_flow *flow = &a->flow[PL_AGENT_RECEIVES];

	if (flow->stage == PL_FLOW_NONE)
		return 0;
	if (pl_flow_go(flow, round, pl_clock_ns()))
		return pl_err_set(err, PL_EINPUT, "a go out of turn");
	return 0;
}

/* Reports nothing more of that round; of two flows the other one goes on. */
static void end_round(struct pl_agent *a, uint16_t round)
{
	fall_silent(a);
	for (size_t k = 0; k < 2; k++)
		if (a->flow[k].round == round)
			pl_flow_end(&a->flow[k]);
}

static int end_run(struct pl_agent *a, struct pl_err *err)
{
	struct pl_msg bye = {.kind = PL_MSG_BYE};

	pl_agent_count_dropped(a);
	bye.refused = a->exchange.refused + a->flow[PL_AGENT_RECEIVES].refused;
	bye.stale = a->exchange.stale;
	a->ended = true;
	return pl_agent_tell(a, &bye, err);
}

/* Blocks meanwhile: nothing else is measured at that time. */
static int tell_cost(const struct pl_agent *a, struct pl_err *err)
{
	struct pl_msg msg = {.kind = PL_MSG_COST};

	pl_cost_measure(&msg.cost);
	return pl_agent_tell(a, &msg, err);
}

static int tell_alive(const struct pl_agent *a, struct pl_err *err)
{
	const struct pl_msg pong = {.kind = PL_MSG_PONG};

	return pl_agent_tell(a, &pong, err);
}

static int obey(struct pl_agent *a, const char *line, struct pl_err *err)
{
	struct pl_msg msg;
	int status = 0;

	if (pl_msg_parse(line, strlen(line), &msg))
		return pl_err_set(err, PL_EINPUT, "not a command");
	pl_silence_break(&a->silence, pl_clock_ns());
	if (msg.kind == PL_MSG_RUN)
		status = begin_run(a, &msg, err);
	else if (msg.kind == PL_MSG_SETTINGS)
		a->settings = msg.settings;
	else if (msg.kind == PL_MSG_ROUND)
		status = begin_round(a, &msg, err);
	else if (msg.kind == PL_MSG_ANSWER)
		status = meet(a, &msg, err);
	else if (msg.kind == PL_MSG_RECEIVE || msg.kind == PL_MSG_SEND)
		status = begin_flow(a, &msg, err);
	else if (msg.kind == PL_MSG_GO)
		status = let_go(a, msg.round, err);
	else if (msg.kind == PL_MSG_END)
		status = end_run(a, err);
	else if (msg.kind == PL_MSG_REST)
		end_round(a, msg.round);
	else if (msg.kind == PL_MSG_COSTS)
		status = tell_cost(a, err);
	else if (msg.kind == PL_MSG_PING)
		status = tell_alive(a, err);
	else
		status = pl_err_set(err, PL_EINPUT, "not for an agent");
	sodium_memzero(&msg, sizeof(msg)); /* a key may have been in it */
	return status;
}

int pl_agent_take_commands(struct pl_agent *a, struct pl_err *err)
{
	const enum pl_lines_got got = pl_lines_fill(&a->lines, a->options->in);
	char line[PL_LINE_CHARS];
	int status = 0, have;

	if (got == PL_LINES_END)
		a->ended = true;
	while (!status && (have = pl_lines_next(&a->lines, line)) != 0)
		status =
			have < 0 ? pl_err_set(err, PL_EINPUT, "line too long") : obey(a, line, err);
	sodium_memzero(line, sizeof(line));
	return status;
}

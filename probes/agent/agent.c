/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.c - the program on each host: probes, and answers, while a run lasts */
#include "config.h"

#include "probes/agent/agent.h"

#include "probes/protocol/control.h"
#include "probes/agent/early.h"
#include "probes/agent/echo.h"
#include "probes/agent/exchange.h"
#include "probes/agent/filter.h"
#include "probes/pair/prober.h"
#include "probes/protocol/thesis-packet.h"
#include "probes/agent/wire.h"
#include "probes/bandwidth/flow.h"
#include "src/tool.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define S INT64_C(1000000000)
/* No word from the coordinator for so long, beyond what a round may take, ends an
 * agent: nothing that a stuck coordinator started stays behind. */
#define PATIENCE_NS (900 * S) /* other agents may be slow to start */
#define BATCH 64 /* packets taken before commands are looked at again */

enum { RECEIVES, SENDS }; /* index of a flow */

struct agent {
	const struct pl_agent_options *options;
	struct pl_lines lines;
	struct pl_exchange exchange;
	struct pl_prober_options settings;
	struct pl_prober prober;
	int udp[PL_FLOWS_MAX];          /* [n_udp], a socket for each flow */
	uint32_t dropped[PL_FLOWS_MAX]; /* [n_udp] by the kernel, counted */
	unsigned n_udp;                 /* 0: not bound yet */
	struct pl_wire_clock clock;
	struct pl_early early;
	struct pl_flow_run flow_run;
	struct pl_flow
		flow[2]; /* RECEIVES, SENDS: a host may do both at once */
	bool gives_way;  /* and so had these before: */
	int policy;
	struct sched_param priority;
	bool has_run; /* RUN came */
	bool probing; /* this round's result is still to be told */
	bool ended;   /* END came, or the end of input */
	int64_t deadline_ns;
	int send_errno; /* why the last probe could not be sent; 0: it could */
};

static int write_all(int fd, const char *s, size_t len, struct pl_err *err)
{
	while (len > 0) {
		const ssize_t put = write(fd, s, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return pl_err_errno(err, "cannot answer");
		s += put;
		len -= (size_t)put;
	}
	return 0;
}

static int tell(const struct agent *a, const struct pl_msg *msg,
		struct pl_err *err)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return write_all(a->options->out, line, len, err);
}

static int greet(const struct agent *a, struct pl_err *err)
{
	struct pl_msg msg = {.kind = PL_MSG_HELLO, .protocol = PL_PROTOCOL};
	struct pl_addr addr[PL_ADDRS_MAX];
	struct pl_verbs verbs[PL_VERBS_MAX];
	struct utsname uts;
	size_t n;

	snprintf(msg.text, sizeof(msg.text), "%s", PACKAGE_VERSION);
	/* what a launcher wrote before may lack its end of line */
	if (write_all(a->options->out, "\n", 1, err) || tell(a, &msg, err))
		return -1;
	if (uname(&uts))
		return pl_err_errno(err, "uname");
	msg.kind = PL_MSG_NODE;
	snprintf(msg.text, sizeof(msg.text), "%s", uts.nodename);
	if (tell(a, &msg, err) ||
	    pl_addr_list(a->options->iface, addr, &n, err))
		return -1;
	msg.kind = PL_MSG_ADDR;
	for (size_t i = 0; i < n; i++) {
		msg.addr = addr[i];
		if (tell(a, &msg, err))
			return -1;
	}
	msg.kind = PL_MSG_VERBS;
	n = pl_verbs_list("/sys", verbs);
	for (size_t i = 0; i < n; i++) {
		msg.verbs = verbs[i];
		if (tell(a, &msg, err))
			return -1;
	}
	msg.kind = PL_MSG_READY;
	return tell(a, &msg, err);
}

/* The kernel is to know whom we hear. */
static void filter(const struct agent *a)
{
	for (unsigned k = 0; k < a->n_udp && !a->options->unfiltered; k++)
		pl_filter_attach(a->udp[k], &a->exchange, k);
}

/* What the kernel dropped is refused like what we do. */
static void count_dropped(struct agent *a)
{
	for (unsigned k = 0; k < a->n_udp; k++) {
		const uint32_t n = pl_filter_dropped(a->udp[k]);

		a->exchange.refused += n - a->dropped[k];
		a->dropped[k] = n;
	}
}

static int begin_run(struct agent *a, const struct pl_msg *msg,
		     struct pl_err *err)
{
	struct pl_msg answer = {.kind = PL_MSG_BOUND};

	if (a->has_run)
		return pl_err_set(err, PL_EINPUT, "a second run");
	if (pl_wire_bind_many(&msg->addr, a->options->port_min,
			      a->options->port_max, msg->n_flows, a->udp,
			      answer.port, &a->n_udp, err))
		return -1;
	answer.n_ports = a->n_udp;
	answer.echo_ns =
		pl_echo_self(a->udp[0], &a->clock, &msg->addr, answer.port[0]);
	a->exchange.run = msg->run;
	a->exchange.self = msg->self;
	a->exchange.insecure = msg->insecure;
	memcpy(a->exchange.key, msg->key, sizeof(msg->key));
	a->flow_run = (struct pl_flow_run){
		.run = msg->run,
		.self = msg->self,
		.addr = msg->addr,
		.port_min = a->options->port_min,
		.port_max = a->options->port_max,
	};
	memcpy(a->flow_run.key, msg->key, sizeof(msg->key));
	filter(a);
	a->has_run = true;
	return tell(a, &answer, err);
}

static void stop_probing(struct agent *a)
{
	pl_prober_fini(&a->prober);
	a->probing = false;
}

/* Nobody is answered. */
static void fall_silent(struct agent *a)
{
	stop_probing(a);
	pl_exchange_close(&a->exchange);
	filter(a);
}

/* Nothing listens. */
static void end_flows(struct agent *a)
{
	for (size_t k = 0; k < 2; k++)
		pl_flow_end(&a->flow[k]);
	if (a->gives_way)
		sched_setscheduler(0, a->policy, &a->priority);
	a->gives_way = false;
}

/* Bytes by the million must not keep the kernel from handing them over. */
static void give_way(struct agent *a)
{
	const struct sched_param none = {0};

	if (a->gives_way)
		return;
	a->policy = sched_getscheduler(0);
	a->gives_way = a->policy >= 0 && !sched_getparam(0, &a->priority);
	if (a->gives_way)
		sched_setscheduler(0, SCHED_OTHER, &none);
}

static void answer(struct agent *a, const struct pl_packet *request,
		   const struct pl_arrival *arrival, unsigned flow)
{
	uint8_t reply[PL_PACKET_BYTES];

	pl_exchange_reply(&a->exchange, request,
			  pl_tool_clock_ns() - arrival->at_ns, reply);
	pl_wire_send(a->udp[flow], reply, pl_exchange_bytes(&a->exchange),
		     &arrival->from);
}

/* A round began: was the peer here before us? */
static void answer_early(struct agent *a)
{
	struct pl_packet packet;

	if (pl_early_take(&a->early, &a->exchange, pl_tool_clock_ns(), &packet))
		answer(a, &packet, &a->early.arrival, a->early.flow);
}

/* From now on only that peer is answered. */
static int meet(struct agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	struct sockaddr_storage addr[PL_FLOWS_MAX];

	if (!a->has_run || a->settings.probes_max == 0)
		return pl_err_set(err, PL_EINPUT, "a round before the run");
	if (msg->n_ports > a->n_udp)
		return pl_err_set(err, PL_EINPUT,
				  "a peer of more flows than ports");
	stop_probing(a);
	end_flows(a);
	for (unsigned k = 0; k < msg->n_ports; k++)
		pl_addr_socket(&msg->addr, msg->port[k], &addr[k]);
	pl_exchange_open(&a->exchange, msg->round, msg->peer, addr,
			 msg->n_ports);
	filter(a);
	answer_early(a);
	return 0;
}

static int begin_round(struct agent *a, const struct pl_msg *msg,
		       struct pl_err *err)
{
	struct pl_prober_options o = a->settings;

	if (meet(a, msg, err))
		return -1;
	o.n_flows = msg->n_ports;
	o.packets_max = msg->packets_max;
	if (a->exchange.insecure && o.packets_max > PL_THESIS_SEQS)
		o.packets_max = PL_THESIS_SEQS;
	if (pl_prober_init(&a->prober, &o, pl_tool_clock_ns()))
		return pl_err_nomem(err);
	a->prober.chance = randombytes_uniform;
	a->probing = true;
	a->send_errno = 0;
	return 0;
}

/* A flow of bytes: no probes meanwhile. */
static int begin_flow(struct agent *a, const struct pl_msg *msg,
		      struct pl_err *err)
{
	struct pl_msg listening;

	if (!a->has_run)
		return pl_err_set(err, PL_EINPUT, "a flow before the run");
	fall_silent(a);
	give_way(a);
	if (msg->kind == PL_MSG_SEND) {
		pl_flow_send(&a->flow[SENDS], &a->flow_run, msg,
			     pl_tool_clock_ns());
		return 0;
	}
	pl_flow_receive(&a->flow[RECEIVES], &a->flow_run, msg,
			pl_tool_clock_ns(), &listening);
	return tell(a, &listening, err);
}

/* A flow that has ended meanwhile has told why. */
static int let_go(struct agent *a, uint16_t round, struct pl_err *err)
{
	struct pl_flow *flow = &a->flow[RECEIVES];

	if (flow->stage == PL_FLOW_NONE)
		return 0;
	if (pl_flow_go(flow, round, pl_tool_clock_ns()))
		return pl_err_set(err, PL_EINPUT, "a go out of turn");
	return 0;
}

/* Nothing more of that round; of two flows the other one goes on. */
static void end_round(struct agent *a, uint16_t round)
{
	fall_silent(a);
	for (size_t k = 0; k < 2; k++)
		if (a->flow[k].round == round)
			pl_flow_end(&a->flow[k]);
}

static int end_run(struct agent *a, struct pl_err *err)
{
	struct pl_msg bye = {.kind = PL_MSG_BYE};

	count_dropped(a);
	bye.refused = a->exchange.refused + a->flow[RECEIVES].refused;
	bye.stale = a->exchange.stale;
	a->ended = true;
	return tell(a, &bye, err);
}

static int obey(struct agent *a, const char *line, struct pl_err *err)
{
	struct pl_msg msg;
	int status = 0;

	if (pl_msg_parse(line, strlen(line), &msg))
		return pl_err_set(err, PL_EINPUT, "not a command");
	a->deadline_ns =
		pl_tool_clock_ns() + PATIENCE_NS + a->settings.limit_ns;
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
	else
		status = pl_err_set(err, PL_EINPUT, "not for an agent");
	sodium_memzero(&msg, sizeof(msg)); /* a key may have been in it */
	return status;
}

static int take_commands(struct agent *a, struct pl_err *err)
{
	const enum pl_lines_got got = pl_lines_fill(&a->lines, a->options->in);
	char line[PL_LINE_CHARS];
	int status = 0, have;

	if (got == PL_LINES_END)
		a->ended = true;
	while (!status && (have = pl_lines_next(&a->lines, line)) != 0)
		status = have < 0 ? pl_err_set(err, PL_EINPUT, "line too long")
				  : obey(a, line, err);
	sodium_memzero(line, sizeof(line));
	return status;
}

/* A packet that cannot be sent is lost like any other; why is kept. */
static void send_request(struct agent *a, uint32_t seq)
{
	const unsigned flow = seq % a->exchange.n_flows;
	uint8_t packet[PL_PACKET_BYTES];

	pl_exchange_request(&a->exchange, seq, packet);
	a->send_errno = pl_wire_send(a->udp[flow], packet,
				     pl_exchange_bytes(&a->exchange),
				     &a->exchange.peer_addr[flow]);
}

static void take_packet(struct agent *a, const uint8_t *data, size_t len,
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

static void take_packets(struct agent *a, unsigned flow)
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

static int tell_result(struct agent *a, struct pl_err *err)
{
	struct pl_msg msg = {
		.kind = PL_MSG_RESULT,
		.round = a->exchange.round,
		.peer = a->exchange.peer,
	};

	count_dropped(a);
	msg.refused = a->exchange.refused;
	pl_prober_result(&a->prober, &msg.pair);
	if (msg.pair.answered == 0 && a->send_errno)
		snprintf(msg.text, sizeof(msg.text), "cannot send: %s",
			 strerror(a->send_errno));
	stop_probing(a);
	return tell(a, &msg, err);
}

static int probe(struct agent *a, struct pl_err *err)
{
	uint32_t seq;

	if (!a->probing)
		return 0;
	while (pl_prober_step(&a->prober, pl_tool_clock_ns(), &seq))
		send_request(a, seq);
	return a->prober.done ? tell_result(a, err) : 0;
}

static int step_flows(struct agent *a, struct pl_err *err)
{
	struct pl_msg msg;

	for (size_t k = 0; k < 2; k++) {
		if (!pl_flow_step(&a->flow[k], pl_tool_clock_ns(), &msg))
			continue;
		msg.refused = a->exchange.refused + a->flow[RECEIVES].refused;
		if (tell(a, &msg, err))
			return -1;
	}
	return 0;
}

static int64_t sooner(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* fds[0] is for commands, fds[1 + k] for flow k, the others for bytes. */
static int wait_for_events(struct agent *a, struct pollfd *fds,
			   struct pl_err *err)
{
	const int64_t now = pl_tool_clock_ns();
	int64_t wake = a->deadline_ns;
	struct timespec wait;
	unsigned n = 1;

	if (now >= wake)
		return pl_err_set(err, PL_ESYSTEM,
				  "no word from the coordinator for too long");
	if (a->probing)
		wake = sooner(wake, pl_prober_wake(&a->prober));
	for (size_t k = 0; k < 2; k++)
		wake = sooner(wake, pl_flow_wake(&a->flow[k]));
	wake = wake > now ? wake - now : 0;
	wait.tv_sec = (time_t)(wake / S);
	wait.tv_nsec = (long)(wake % S);
	for (unsigned k = 0; k < a->n_udp; k++)
		fds[n++] = (struct pollfd){.fd = a->udp[k], .events = POLLIN};
	for (size_t k = 0; k < 2; k++)
		n += pl_flow_poll(&a->flow[k], fds + n);
	if (ppoll(fds, n, &wait, NULL) >= 0)
		return 0;
	for (unsigned k = 0; k <= a->n_udp; k++)
		fds[k].revents = 0;
	return errno == EINTR ? 0 : pl_err_errno(err, "ppoll");
}

static int loop(struct agent *a, struct pl_err *err)
{
	struct pollfd fds[1 + PL_FLOWS_MAX + 2 * PL_FLOW_FDS] = {
		{.fd = a->options->in, .events = POLLIN}};
	unsigned n;

	while (!a->ended) {
		n = a->n_udp; /* a command may bind them */
		if (wait_for_events(a, fds, err))
			return -1;
		for (unsigned k = 0; k < n; k++)
			if (fds[1 + k].revents)
				take_packets(a, k);
		if (fds[0].revents && take_commands(a, err))
			return -1;
		if (probe(a, err) || step_flows(a, err))
			return -1;
	}
	return 0;
}

int pl_agent_run(const struct pl_agent_options *options, struct pl_err *err)
{
	struct agent a = {.options = options};
	struct pl_err why = {0};
	int status;

	if (sodium_init() < 0)
		return pl_err_set(err, PL_ESYSTEM, "libsodium does not start");
	a.prober.done = true;
	pl_wire_clock_init(&a.clock);
	a.deadline_ns = pl_tool_clock_ns() + PATIENCE_NS;
	status = greet(&a, &why) || loop(&a, &why) ? -1 : 0;
	if (status) {
		struct pl_msg msg = {.kind = PL_MSG_ERROR};

		snprintf(msg.text, sizeof(msg.text), "%.250s", why.text);
		tell(&a, &msg, NULL);
		if (err)
			*err = why;
	}
	stop_probing(&a);
	end_flows(&a);
	for (unsigned k = 0; k < a.n_udp; k++)
		close(a.udp[k]);
	sodium_memzero(&a, sizeof(a));
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sim-agent.c - an agent that sends no packets: results are those of a network made up */
#include "config.h"

#include "bench/options.h"
#include "bench/tiers.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text/number.h"
#include "probes/protocol/control.h"
#include "src/common/tool.h"

#include <inttypes.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TOOL "sim-agent"
#define MS INT64_C(1000000)

static const char help[] =
	"usage: sim-agent [OPTION]... --host=hN\n"
	"Speaks plink-protocol(5) on standard input and output as plink-agent does, as\n"
	"host N of a list h0, h1, ..., and answers every round with what bench/tiers.h\n"
	"says of the pair. Flows take as long as they would: cards have 400 Mbit/s, and\n"
	"flows between racks a fourth of that each where they are to share. For plink-probe: "
	"--agent=true and the launch template\n"
	"\"sim-agent --kind=3-tiers --hosts=100 --host=%h --command\".\n"
	"\n"
	"  --kind=NAME   of the network (3-tiers)\n"
	"  --hosts=N     in it (100)\n"
	"  --seed=N      (1)\n"
	"  --round-ms=N  how long a round takes (0)\n"
	"  --dies=N      ends after so many rounds (0: never)\n"
	"  --command=S   is not run\n"
	"  --help, --version\n";

#define SETTLED_NS (150 * MS)
#define CARD_BYTES_PER_S 5e7
#define SHARE 0.25

/* One end of a flow. */
struct sim_flow {
	struct pl_msg ask; /* RECEIVE or SEND */
	bool on;
	int64_t due_ns; /* INT64_MAX: it has not begun */
};

/* What a receiver tells its sender, which nobody else lets go. */
struct sim_go {
	uint16_t round;
	int64_t due_ns;
};

struct sim {
	struct tiers net;
	int64_t host, round_ms, dies, n_rounds;
	struct pl_msg run;
	struct pl_msg round; /* under way */
	bool in_round;
	int64_t due_ns; /* its end */
	struct pl_prober_options settings;
	int hears; /* GO of receivers */
	struct sim_flow in, out;
};

static int tell(const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return write(STDOUT_FILENO, line, len) == (ssize_t)len ? 0 : -1;
}

static int greet(const struct sim *s)
{
	struct pl_msg msg = {.kind = PL_MSG_HELLO, .protocol = PL_PROTOCOL};
	char text[PL_ADDR_CHARS];

	snprintf(msg.text, sizeof(msg.text), "%s", PACKAGE_VERSION);
	if (tell(&msg))
		return -1;
	msg.kind = PL_MSG_NODE;
	snprintf(msg.text, sizeof(msg.text), "node%d", (int)s->host);
	if (tell(&msg))
		return -1;
	snprintf(text, sizeof(text), "10.%d.%d.%d/8", (int)(s->host >> 16),
		 (int)(s->host >> 8 & 255), (int)(s->host & 255));
	msg.kind = PL_MSG_ADDR;
	if (pl_addr_parse(text, strlen(text), &msg.addr))
		return -1;
	snprintf(msg.addr.iface, sizeof(msg.addr.iface), "sim0");
	if (tell(&msg))
		return -1;
	msg.kind = PL_MSG_READY;
	return tell(&msg);
}

/* Of the agent with that number in this run: an abstract socket. */
static socklen_t name_agent(const struct sim *s, uint16_t self, struct sockaddr_un *to)
{
	*to = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(to->sun_path + 1, sizeof(to->sun_path) - 1, "plink-sim-%" PRIx64 "-%u", s->run.run,
		 self);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(to->sun_path + 1));
}

static int hear(struct sim *s)
{
	struct sockaddr_un own;
	const socklen_t len = name_agent(s, s->run.self, &own);

	s->hears = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	return s->hears < 0 ? -1 : bind(s->hears, (struct sockaddr *)&own, len);
}

static int tell_joined(const struct sim_flow *f)
{
	const struct pl_msg msg = {
		.kind = PL_MSG_JOINED, .round = f->ask.round, .peer = f->ask.peer};

	return tell(&msg);
}

static int begin_flow(struct sim_flow *f, const struct pl_msg *ask)
{
	const struct pl_msg listening = {.kind = PL_MSG_LISTENING,
					 .round = ask->round,
					 .peer = ask->peer,
					 .port = {1024},
					 .n_ports = 1};

	*f = (struct sim_flow){.ask = *ask, .on = true, .due_ns = INT64_MAX};
	if (ask->kind == PL_MSG_RECEIVE && tell(&listening))
		return -1;
	return tell_joined(f);
}

/* The sender begins as well. */
static int let_go(struct sim *s, uint16_t round)
{
	const struct pl_flow_ask *ask = &s->in.ask.ask;
	struct sockaddr_un to;
	const socklen_t len = name_agent(s, s->in.ask.peer, &to);
	struct sim_go go = {.round = round};

	if (!s->in.on || s->in.ask.round != round)
		return -1;
	go.due_ns =
		pl_clock_ns() +
		(ask->settle_ppm > 0 && ask->limit_ns > SETTLED_NS ? SETTLED_NS : ask->limit_ns);
	s->in.due_ns = go.due_ns;
	sendto(s->hears, &go, sizeof(go), 0, (struct sockaddr *)&to, len);
	return 0;
}

static void hear_go(struct sim *s)
{
	struct sim_go go;

	while (recv(s->hears, &go, sizeof(go), 0) == (ssize_t)sizeof(go))
		if (s->out.on && s->out.ask.round == go.round)
			s->out.due_ns = go.due_ns;
}

static int end_flow(struct sim *s, struct sim_flow *f)
{
	const size_t per_rack = s->net.kind->width[0];
	const bool apart =
		f->ask.ask.settle_ppm > 0 ||
		s->net.place[s->run.self] / per_rack == s->net.place[f->ask.peer] / per_rack;
	const int64_t ns = apart ? SETTLED_NS : f->ask.ask.limit_ns;
	const double rate = CARD_BYTES_PER_S * (apart ? 1 : SHARE);
	const struct pl_msg msg = {
		.kind = PL_MSG_FLOWED,
		.round = f->ask.round,
		.peer = f->ask.peer,
		.flow = {.bytes = (uint64_t)(rate * (double)ns / 1e9),
			 .ns = ns,
			 .bytes_per_s = (uint64_t)rate,
			 .settled = f->ask.ask.settle_ppm > 0},
	};

	f->on = false;
	return tell(&msg);
}

static int tell_bound(struct sim *s, const struct pl_msg *run)
{
	struct pl_msg msg = {
		.kind = PL_MSG_BOUND,
		.n_ports = run->n_flows,
		.echo_ns = 1000,
	};

	s->run = *run;
	if (hear(s))
		return -1;
	for (unsigned k = 0; k < msg.n_ports; k++)
		msg.port[k] = 1024 + (int)k;
	return tell(&msg);
}

static int tell_result(struct sim *s)
{
	const double us = tiers_measured(&s->net, s->run.self, s->round.peer);
	const int64_t ns = (int64_t)(1000 * us);
	struct pl_msg msg = {
		.kind = PL_MSG_RESULT,
		.round = s->round.round,
		.peer = s->round.peer,
	};

	s->in_round = false;
	msg.pair.sent = msg.pair.answered = s->settings.probes_min;
	msg.pair.packets = msg.pair.sent + 1;
	msg.pair.rtt.min_ns = msg.pair.rtt.p10_ns = msg.pair.rtt.p50_ns = ns;
	msg.pair.rtt.p90_ns = msg.pair.rtt.p99_ns = msg.pair.rtt.raw_ns = ns;
	return tell(&msg);
}

static int begin_round(struct sim *s, const struct pl_msg *round)
{
	s->round = *round;
	s->in_round = true;
	s->due_ns = pl_clock_ns() + MS * s->round_ms;
	return s->round_ms == 0 ? tell_result(s) : 0;
}

/* 1: go on; 0: the end; -1: something is wrong. */
static int obey(struct sim *s, const char *line)
{
	const struct pl_msg bye = {.kind = PL_MSG_BYE};
	const struct pl_msg cost = {.kind = PL_MSG_COST};
	const struct pl_msg pong = {.kind = PL_MSG_PONG};
	struct pl_msg msg;

	if (pl_msg_parse(line, strlen(line), &msg))
		return -1;
	switch (msg.kind) {
	case PL_MSG_RUN:
		return tell_bound(s, &msg) ? -1 : 1;
	case PL_MSG_SETTINGS:
		s->settings = msg.settings;
		return 1;
	case PL_MSG_ROUND:
		if (msg.peer >= s->net.n || s->run.self >= s->net.n)
			return -1;
		if (s->dies > 0 && s->n_rounds++ == s->dies)
			return 0;
		return begin_round(s, &msg) ? -1 : 1;
	case PL_MSG_PING:
		return tell(&pong) ? -1 : 1;
	case PL_MSG_COSTS:
		return tell(&cost) ? -1 : 1;
	case PL_MSG_RECEIVE:
		return begin_flow(&s->in, &msg) ? -1 : 1;
	case PL_MSG_SEND:
		return begin_flow(&s->out, &msg) ? -1 : 1;
	case PL_MSG_GO:
		return let_go(s, msg.round) ? -1 : 1;
	case PL_MSG_ANSWER:
	case PL_MSG_REST:
		s->in_round = false;
		return 1;
	case PL_MSG_END:
		return tell(&bye) ? -1 : 0;
	default:
		return -1;
	}
}

static int64_t next_due(const struct sim *s)
{
	int64_t due_ns = s->in_round ? s->due_ns : INT64_MAX;

	if (s->in.on && s->in.due_ns < due_ns)
		due_ns = s->in.due_ns;
	if (s->out.on && s->out.due_ns < due_ns)
		due_ns = s->out.due_ns;
	return due_ns;
}

/* Ends what has had its time. 0, or -1. */
static int end_due(struct sim *s)
{
	const int64_t now_ns = pl_clock_ns();

	if (s->in_round && s->due_ns <= now_ns && tell_result(s))
		return -1;
	if (s->in.on && s->in.due_ns <= now_ns && end_flow(s, &s->in))
		return -1;
	return s->out.on && s->out.due_ns <= now_ns ? end_flow(s, &s->out) : 0;
}

/* Waits for a line; false: something else has come, or its time. */
static bool has_input(struct sim *s)
{
	struct pollfd in[] = {{.fd = STDIN_FILENO, .events = POLLIN},
			      {.fd = s->hears, .events = POLLIN}};
	const int64_t due_ns = next_due(s);
	int64_t left = -1;

	if (due_ns < INT64_MAX) {
		left = (due_ns - pl_clock_ns() + MS - 1) / MS;
		left = left > 0 ? left : 0;
	}
	if (poll(in, 2, (int)left) > 0 && in[1].revents)
		hear_go(s);
	return in[0].revents != 0;
}

static int serve(struct sim *s)
{
	struct pl_lines lines = {0};
	char line[PL_LINE_CHARS];
	int rc = 1;

	while (rc == 1) {
		if (!has_input(s)) {
			rc = end_due(s) ? -1 : 1;
			continue;
		}
		if (pl_lines_fill(&lines, STDIN_FILENO) == PL_LINES_END)
			break;
		while (rc == 1 && pl_lines_next(&lines, line) == 1)
			rc = obey(s, line);
	}
	return rc;
}

int main(int argc, char **argv)
{
	struct sim s = {.hears = -1};
	const char *kind = "3-tiers", *host = "", *command = "";
	int64_t hosts = 100, seed = 1;
	const struct bench_option options[] = {
		{"kind", .text = &kind},
		{"host", .text = &host},
		{"command", .text = &command},
		{"hosts", .whole = &hosts, .least = 1, .most = 65536},
		{"seed", .whole = &seed, .least = 1, .most = INT64_MAX},
		{"round-ms", .whole = &s.round_ms, .least = 0, .most = 60000},
		{"dies", .whole = &s.dies, .least = 0, .most = 1000000},
	};
	const int status =
		bench_options(TOOL, help, options, sizeof(options) / sizeof(*options), argc, argv);
	int rc = -1;

	if (status >= 0)
		return status;
	if (host[0] != 'h' || pl_int_parse(host + 1, strlen(host + 1), 0, hosts - 1, &s.host) ||
	    !tiers_find(kind))
		return pl_tool_usage(TOOL, "no host \"%s\" of %d in \"%s\"", host, (int)hosts,
				     kind);
	if (!tiers_init(&s.net, tiers_find(kind), (size_t)hosts, (uint64_t)seed) && !greet(&s))
		rc = serve(&s);
	tiers_fini(&s.net);
	return rc < 0 ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
}

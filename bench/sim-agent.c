/* SPDX-License-Identifier: BSD-3-Clause */
/* sim-agent.c - an agent that sends no packets: results are those of a network made up */
#include "config.h"

#include "bench/options.h"
#include "bench/tiers.h"
#include "probes/protocol/control.h"
#include "src/mem.h"
#include "src/number.h"
#include "src/tool.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL "sim-agent"
#define MS INT64_C(1000000)

static const char help[] =
	"usage: sim-agent [OPTION]... --host=hN\n"
	"Speaks plink-protocol(5) on standard input and output as plink-agent "
	"does, as\n"
	"host N of a list h0, h1, ..., and answers every round with what "
	"bench/tiers.h\n"
	"says of the pair. For plink-probe: --agent=true and the launch "
	"template\n"
	"\"sim-agent --kind=3-tiers --hosts=100 --host=%h --command\".\n"
	"\n"
	"  --kind=NAME   of the network (3-tiers)\n"
	"  --hosts=N     in it (100)\n"
	"  --seed=N      (1)\n"
	"  --round-ms=N  how long a round takes (0)\n"
	"  --dies=N      ends after so many rounds (0: never)\n"
	"  --command=S   is not run\n"
	"  --help, --version\n";

struct sim {
	struct tiers net;
	int64_t host, round_ms, dies, n_rounds;
	struct pl_msg run;
	struct pl_msg round; /* under way */
	bool in_round;
	int64_t due_ns; /* its end */
	struct pl_prober_options settings;
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

static int tell_bound(struct sim *s, const struct pl_msg *run)
{
	struct pl_msg msg = {
		.kind = PL_MSG_BOUND,
		.n_ports = run->n_flows,
		.echo_ns = 1000,
	};

	s->run = *run;
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
	s->due_ns = pl_tool_clock_ns() + MS * s->round_ms;
	return s->round_ms == 0 ? tell_result(s) : 0;
}

/* 1: go on; 0: the end; -1: something is wrong. */
static int obey(struct sim *s, const char *line)
{
	const struct pl_msg bye = {.kind = PL_MSG_BYE};
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

/* Waits for it; false: the round is over before. */
static bool has_input(const struct sim *s)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int64_t left = -1;

	if (s->in_round) {
		left = (s->due_ns - pl_tool_clock_ns() + MS - 1) / MS;
		left = left > 0 ? left : 0;
	}
	return poll(&in, 1, (int)left) != 0;
}

static int serve(struct sim *s)
{
	struct pl_lines lines = {0};
	char line[PL_LINE_CHARS];
	int rc = 1;

	while (rc == 1) {
		if (!has_input(s)) {
			rc = tell_result(s) ? -1 : 1;
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
	struct sim s = {0};
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
		bench_options(TOOL, help, options,
			      sizeof(options) / sizeof(*options), argc, argv);
	int rc = -1;

	if (status >= 0)
		return status;
	if (host[0] != 'h' ||
	    pl_int_parse(host + 1, strlen(host + 1), 0, hosts - 1, &s.host) ||
	    !tiers_find(kind))
		return pl_tool_usage(TOOL, "no host \"%s\" of %d in \"%s\"",
				     host, (int)hosts, kind);
	if (!tiers_init(&s.net, tiers_find(kind), (size_t)hosts,
			(uint64_t)seed) &&
	    !greet(&s))
		rc = serve(&s);
	tiers_fini(&s.net);
	return rc < 0 ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-flood.c - what packets that nobody wants cost an agent in its round */
#include "config.h"

#include "bench/options.h"
#include "probes/control.h"
#include "probes/exchange.h"
#include "probes/launch.h"
#include "probes/wire.h"
#include "src/rng.h"
#include "src/tool.h"

#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TOOL "probe-flood"
#define S INT64_C(1000000000)
#define BATCH                                                                  \
	50 /* packets that a socket's buffer holds, so that none is lost */
#define PATIENCE_MS 20000

static const char help[] =
	"usage: probe-flood --agent=FILE [OPTION]...\n"
	"Is the peer of an agent's round, and sends it packets of six kinds in "
	"turn:\n"
	"random, forged (all right but the tag), replayed, cut short, "
	"authentic "
	"from\n"
	"another port, replies to nothing. After every 50 one right request, "
	"which alone\n"
	"must be answered. Prints how many of each were sent and answered, "
	"and the\n"
	"agent's processor time.\n"
	"\n"
	"  --agent=FILE  plink-agent\n"
	"  --packets=N   (default 1000000)\n"
	"  --pps=N       at most so many per second (default: no limit)\n"
	"  --seed=N      (default 1)\n"
	"  --help, --version\n"
	"Exit: 0 only right requests were answered, and all of them; 1 not so; "
	"2 usage;\n"
	"4 system.\n";

enum kind { RANDOM, FORGED, REPLAYED, SHORT, STRANGER, REPLY, N_KINDS };

static const char *const names[N_KINDS] = {
	"random",    "forged",          "replayed",
	"cut short", "from a stranger", "replies to nothing"};

/* The agent is host 1, we are host 0, both on the loopback. */
struct flood {
	struct pl_child agent;
	struct pl_lines lines;
	struct pl_exchange us;
	struct sockaddr_storage at; /* the agent */
	struct pl_addr addr;
	struct pl_wire_clock clock;
	int udp, stranger, port;
	struct pl_rng rng;
	uint32_t seq; /* of the last right request */
	uint8_t last[PL_PACKET_BYTES];
	uint64_t sent[N_KINDS];
	uint64_t asked, answered, strangers; /* right ones; what else came */
	uint64_t refused, stale;             /* as the agent says */
};

static bool hear(struct flood *f, enum pl_msg_kind kind, struct pl_msg *msg)
{
	struct pollfd p = {.fd = f->agent.out, .events = POLLIN};
	char line[PL_LINE_CHARS];

	for (;;) {
		if (pl_lines_next(&f->lines, line) > 0) {
			if (line[0] && !pl_msg_parse(line, strlen(line), msg) &&
			    msg->kind == kind)
				return true;
			continue;
		}
		if (poll(&p, 1, PATIENCE_MS) <= 0 ||
		    pl_lines_fill(&f->lines, f->agent.out) == PL_LINES_END)
			return false;
	}
}

static bool tell(struct flood *f, const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return write(f->agent.in, line, len) == (ssize_t)len;
}

/* RUN, SETTINGS and ROUND, with ourselves as the peer. */
static bool begin(struct flood *f)
{
	struct pl_msg msg = {
		.kind = PL_MSG_RUN, .run = 42, .self = 1, .n_flows = 1};

	randombytes_buf(f->us.key, sizeof(f->us.key));
	memcpy(msg.key, f->us.key, sizeof(msg.key));
	f->us.run = msg.run;
	msg.addr = f->addr;
	f->udp = pl_wire_bind(&f->addr, 0, 0, &f->port, NULL);
	f->stranger = pl_wire_bind(&f->addr, 0, 0, &(int){0}, NULL);
	if (f->udp < 0 || f->stranger < 0 || !tell(f, &msg) ||
	    !hear(f, PL_MSG_BOUND, &msg))
		return false;
	pl_addr_socket(&f->addr, msg.port[0], &f->at);
	msg = (struct pl_msg){
		.kind = PL_MSG_SETTINGS,
		.settings = {.probes_min = 1,
			     .probes_max = 1,
			     .gap_ns = S,
			     .pair_ns = S,
			     .limit_ns = 60 * S,
			     .silence_ns = S},
	};
	if (!tell(f, &msg))
		return false;
	msg = (struct pl_msg){
		.kind = PL_MSG_ROUND,
		.packets_max = PL_PACKETS_LIMIT,
		.addr = f->addr,
		.port = {f->port},
		.n_ports = 1,
	};
	pl_exchange_open(&f->us, 0, 1, &f->at, 1);
	return tell(f, &msg);
}

/* Starts the agent; its first IPv4 address on the loopback is the place. */
static bool start(struct flood *f, const char *agent, struct pl_err *err)
{
	char *argv[] = {(char *)agent, (char *)"--iface=127.0.0.0/8", NULL};
	struct pl_msg msg;

	if (pl_launch_spawn(&f->agent, argv, err))
		return false;
	pl_wire_clock_init(&f->clock);
	if (!hear(f, PL_MSG_ADDR, &msg)) {
		pl_err_set(err, PL_ESYSTEM, "%s does not greet", agent);
		return false;
	}
	f->addr = msg.addr;
	if (begin(f))
		return true;
	pl_err_set(err, PL_ESYSTEM, "%s does not begin its round", agent);
	return false;
}

static void make(struct flood *f, enum kind kind, uint8_t out[PL_PACKET_BYTES])
{
	const struct pl_packet request = {.direction = PL_REQUEST,
					  .seq = f->seq + 1};
	uint64_t chance[PL_PACKET_BYTES / 8];

	switch (kind) {
	case RANDOM:
		pl_rng_fill(&f->rng, chance, PL_PACKET_BYTES / 8);
		memcpy(out, chance, PL_PACKET_BYTES);
		break;
	case REPLAYED:
		memcpy(out, f->last, PL_PACKET_BYTES);
		break;
	case REPLY:
		pl_exchange_reply(&f->us, &request, 0, out);
		break;
	default:
		pl_exchange_request(&f->us, f->seq + 1, out);
		if (kind == FORGED)
			out[PL_PACKET_BYTES - 1] ^=
				(uint8_t)(1 + pl_rng_below(&f->rng, 255));
	}
}

static void send_one(struct flood *f, enum kind kind)
{
	const int fd = kind == STRANGER ? f->stranger : f->udp;
	size_t len = PL_PACKET_BYTES;
	uint8_t packet[PL_PACKET_BYTES];

	make(f, kind, packet);
	if (kind == SHORT)
		len = pl_rng_below(&f->rng, PL_PACKET_BYTES);
	if (sendto(fd, packet, len, 0, (const struct sockaddr *)&f->at,
		   sizeof(struct sockaddr_in)) == (ssize_t)len)
		f->sent[kind]++;
}

/* A right request: true when its reply has come, and nothing else that is a
 * reply. The agent's own requests go unanswered. */
static bool ask(struct flood *f)
{
	struct pollfd p = {.fd = f->udp, .events = POLLIN};
	struct pl_arrival arrival;
	struct pl_packet packet;
	uint8_t data[PL_PACKET_BYTES + 1];

	pl_exchange_request(&f->us, ++f->seq, f->last);
	pl_wire_send(f->udp, f->last, &f->at);
	f->asked++;
	while (poll(&p, 1, PATIENCE_MS) > 0) {
		const ssize_t len = pl_wire_receive(f->udp, &f->clock, data,
						    sizeof(data), &arrival);

		if (len < 0)
			continue;
		if (pl_packet_parse(&packet, data, (size_t)len, f->us.key))
			f->strangers++;
		else if (packet.direction == PL_REQUEST)
			continue;
		else if (packet.seq == f->seq)
			return true;
		else
			f->strangers++;
	}
	return false;
}

static void count_strangers(struct flood *f)
{
	uint8_t data[PL_PACKET_BYTES];

	while (recv(f->stranger, data, sizeof(data), MSG_DONTWAIT) >= 0)
		f->strangers++;
}

static void keep_pace(int64_t begun_ns, int64_t n, int64_t pps)
{
	const int64_t left =
		pps ? begun_ns + n * S / pps - pl_tool_clock_ns() : 0;
	const struct timespec nap = {.tv_sec = left / S, .tv_nsec = left % S};

	if (left > 0)
		nanosleep(&nap, NULL);
}

/* Processor time of a process that is there, in s. */
static double cpu_seconds(pid_t pid)
{
	clockid_t id;
	struct timespec t;

	if (clock_getcpuclockid(pid, &id) || clock_gettime(id, &t))
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* False: the agent has stopped answering what it must. */
static bool flood(struct flood *f, int64_t n, int64_t pps, double *wall)
{
	const int64_t begun = pl_tool_clock_ns();
	bool well = ask(f);

	for (int64_t k = 0; well && k < n; k++) {
		send_one(f, (enum kind)(k % N_KINDS));
		if (k % BATCH != BATCH - 1)
			continue;
		well = ask(f);
		f->answered += well;
		count_strangers(f);
		keep_pace(begun, k, pps);
	}
	*wall = (double)(pl_tool_clock_ns() - begun) / 1e9;
	return well;
}

static void print(const struct flood *f, double wall, double cpu)
{
	uint64_t n = f->asked;

	for (size_t k = 0; k < N_KINDS; k++) {
		printf("%10llu %s\n", (unsigned long long)f->sent[k], names[k]);
		n += f->sent[k];
	}
	printf("%10llu right requests among them, %llu replies to anything "
	       "else\n",
	       (unsigned long long)f->asked, (unsigned long long)f->strangers);
	printf("%10llu refused, %llu out of their round, by the agent's "
	       "count\n",
	       (unsigned long long)f->refused, (unsigned long long)f->stale);
	printf("%.0f packets/s in %.2f s; the agent's processor: %.2f s, %.2f "
	       "us a packet, %.1f %% of a core\n",
	       (double)n / wall, wall, cpu, 1e6 * cpu / (double)n,
	       100 * cpu / wall);
}

/* The agent's last words, and its end. */
static bool finish(struct flood *f)
{
	const struct pl_msg end = {.kind = PL_MSG_END};
	struct pl_msg bye;
	int status;

	if (!tell(f, &end) || !hear(f, PL_MSG_BYE, &bye))
		return false;
	f->refused = bye.refused;
	f->stale = bye.stale;
	close(f->agent.in);
	return waitpid(f->agent.pid, &status, 0) > 0 && status == 0;
}

int main(int argc, char **argv)
{
	int64_t packets = 1000000, pps = 0, seed = 1;
	const char *agent = NULL;
	const struct bench_option options[] = {
		{.name = "agent", .text = &agent},
		{.name = "packets", .whole = &packets, 1, 1000000000},
		{.name = "pps", .whole = &pps, 1, 10000000},
		{.name = "seed", .whole = &seed, 0, INT64_MAX},
	};
	struct flood f = {0};
	struct pl_err err = {0};
	double wall, cpu;
	bool well;
	int status =
		bench_options(TOOL, help, options,
			      sizeof(options) / sizeof(options[0]), argc, argv);

	if (status >= 0)
		return status;
	if (!agent)
		return pl_tool_usage(TOOL, "--agent is wanted");
	if (sodium_init() < 0)
		return PL_EXIT_SYSTEM;
	pl_rng_init(&f.rng, (uint64_t)seed, 0);
	if (!start(&f, agent, &err))
		return pl_tool_fail(TOOL, &err);
	cpu = cpu_seconds(f.agent.pid);
	well = flood(&f, packets, pps, &wall);
	cpu = cpu_seconds(f.agent.pid) - cpu;
	well = finish(&f) && well && f.strangers == 0;
	print(&f, wall, cpu);
	if (!well)
		pl_tool_say(TOOL, "not as it should be");
	return well ? PL_EXIT_DONE : PL_EXIT_PARTIAL;
}

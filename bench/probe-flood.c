/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-flood.c - what packets that nobody wants cost an agent in its round */
#include "config.h"

#include "bench/flood.h"
#include "bench/options.h"
#include "probes/agent/agent.h"
#include "src/tool.h"

#include <sodium.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define TOOL "probe-flood"
#define S INT64_C(1000000000)
#define BATCH 50   /* a socket's buffer holds more than four of them */
#define PROBES 200 /* that the agent measures us by meanwhile */
#define LOOPBACK "127.0.0.0/8"

static const char help[] =
	"usage: probe-flood [OPTION]...\n"
	"Is the peer of an agent's round, and sends it packets that must not "
	"be "
	"answered.\n"
	"After every 50 or 200 one right request, which alone must be. What "
	"anybody can send:\n"
	"random, cut short, from another port. What only somebody can who sees "
	"the\n"
	"run's packets and sends by the peer's address: forged (all right but "
	"the tag),\n"
	"replayed, of an earlier round, replies to nothing.\n"
	"\n"
	"With --agent: all kinds in turn; how many of each were sent and "
	"answered, and\n"
	"the agent's processor time. Without: its share of a core at 8000, "
	"50000 and\n"
	"200000 packets/s of either sort, without the kernel's filter and with "
	"it, twice\n"
	"in turn.\n"
	"\n"
	"  --agent=FILE  plink-agent\n"
	"  --packets=N   with --agent (default 1000000)\n"
	"  --pps=N       with --agent: at most so many per second (default: no "
	"limit)\n"
	"  --seconds=S   without it: of each flood (default 2)\n"
	"  --seed=N      (default 1)\n"
	"  --serve=HOW   be an agent, filtered or not: for the program's own "
	"use\n"
	"  --help, --version\n"
	"Exit: 0 only right requests were answered, and all of them, and the "
	"agent's\n"
	"own result is what we answered; 1 not so; 2 usage; 4 system.\n";

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

struct cost {
	double wall, cpu; /* s */
	bool well;        /* right requests were answered, and nothing else */
};

/* @n packets of the kinds from @first to before @last in turn, and the end. */
static struct cost flood(struct flood *f, int64_t n, int64_t pps,
			 unsigned first, unsigned last, int64_t ask_every)
{
	const double cpu = cpu_seconds(f->agent.pid);
	const int64_t begun = pl_tool_clock_ns();
	struct cost cost = {.well = flood_ask(f)};

	for (int64_t k = 0; cost.well && k < n; k++) {
		flood_send(f, (enum flood_kind)(first + k % (last - first)));
		if (k % BATCH == BATCH - 1)
			keep_pace(begun, k, pps);
		if (k % ask_every == ask_every - 1)
			cost.well = flood_ask(f);
	}
	cost.wall = (double)(pl_tool_clock_ns() - begun) / 1e9;
	cost.cpu = cpu_seconds(f->agent.pid) - cpu;
	cost.well = flood_finish(f) && cost.well && f->strangers == 0;
	return cost;
}

static void print(const struct flood *f, const struct cost *cost)
{
	uint64_t n = f->asked;

	for (size_t k = 0; k < FLOOD_KINDS; k++) {
		printf("%10llu %s\n", (unsigned long long)f->sent[k],
		       flood_names[k]);
		n += f->sent[k];
	}
	printf("%10llu right requests among them, %llu replies to anything "
	       "else\n",
	       (unsigned long long)f->asked, (unsigned long long)f->strangers);
	printf("%10llu refused, %llu out of their round, by the agent's "
	       "count\n",
	       (unsigned long long)f->refused, (unsigned long long)f->stale);
	printf("%10llu probes of the agent's, %llu answered, %llu lost, %llu "
	       "duplicate, by its result\n",
	       (unsigned long long)f->result.sent,
	       (unsigned long long)f->result.answered,
	       (unsigned long long)f->result.lost,
	       (unsigned long long)f->result.duplicate);
	printf("%.0f packets/s in %.2f s; the agent's processor: %.2f s, %.2f "
	       "us a packet, %.1f %% of a core\n",
	       (double)n / cost->wall, cost->wall, cost->cpu,
	       1e6 * cost->cpu / (double)n, 100 * cost->cpu / cost->wall);
}

static int flood_one(const char *agent, int64_t packets, int64_t pps,
		     int64_t seed)
{
	char *argv[] = {(char *)agent, (char *)"--iface=" LOOPBACK, NULL};
	struct flood f = {0};
	struct pl_err err = {0};
	struct cost cost;

	pl_rng_init(&f.rng, (uint64_t)seed, 0);
	if (!flood_start(&f, argv, PROBES, &err))
		return pl_tool_fail(TOOL, &err);
	cost = flood(&f, packets, pps, 0, FLOOD_KINDS, BATCH);
	print(&f, &cost);
	if (!cost.well)
		pl_tool_say(TOOL, "not as it should be");
	return cost.well ? PL_EXIT_DONE : PL_EXIT_PARTIAL;
}

/* One flood at an agent of this program's own; the share of a core into *percent. */
static int share(bool filtered, int64_t pps, double seconds, bool anybody,
		 int64_t seed, double *percent)
{
	char *argv[] = {
		(char *)"/proc/self/exe",
		(char *)(filtered ? "--serve=filtered" : "--serve=unfiltered"),
		NULL};
	struct flood f = {0};
	struct pl_err err = {0};
	struct cost cost;

	pl_rng_init(&f.rng, (uint64_t)seed, 0);
	if (!flood_start(&f, argv, 1, &err))
		return pl_tool_fail(TOOL, &err);
	cost = flood(&f, (int64_t)(seconds * (double)pps), pps,
		     anybody ? 0 : FLOOD_ANYBODY,
		     anybody ? FLOOD_ANYBODY : FLOOD_KINDS, 4 * BATCH);
	*percent = 100 * cost.cpu / cost.wall;
	return cost.well ? PL_EXIT_DONE : PL_EXIT_PARTIAL;
}

static int compare(double seconds, int64_t seed)
{
	static const int64_t rates[] = {8000, 50000, 200000};
	double p[4], off, on;

	printf("%% of a core: without the filter, with it, twice in turn\n"
	       "%-9s %-10s %8s %8s %8s %8s %8s\n",
	       "packets/s", "sent by", "without", "with", "without", "with",
	       "ratio");
	for (size_t i = 0; i < 2 * sizeof(rates) / sizeof(rates[0]); i++) {
		const bool anybody = i % 2 == 0;

		for (int k = 0; k < 4; k++) {
			const int status = share(k % 2, rates[i / 2], seconds,
						 anybody, seed, &p[k]);

			if (status != PL_EXIT_DONE)
				return status;
		}
		off = p[0] + p[2];
		on = p[1] + p[3];
		printf("%9lld %-10s %8.2f %8.2f %8.2f %8.2f %8.3f\n",
		       (long long)rates[i / 2],
		       anybody ? "anybody" : "the peer's", p[0], p[1], p[2],
		       p[3], off > 0 ? on / off : 0);
		fflush(stdout);
	}
	return PL_EXIT_DONE;
}

static int serve(const char *how)
{
	const struct pl_agent_options options = {
		.iface = LOOPBACK,
		.unfiltered = how[0] == 'u',
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
	};

	return pl_agent_run(&options, NULL) ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
}

int main(int argc, char **argv)
{
	int64_t packets = 1000000, pps = 0, seed = 1;
	double seconds = 2;
	const char *agent = NULL, *how = NULL;
	const struct bench_option options[] = {
		{.name = "agent", .text = &agent},
		{.name = "serve", .text = &how},
		{.name = "packets", .whole = &packets, 1, 1000000000},
		{.name = "pps", .whole = &pps, 1, 10000000},
		{.name = "seconds", .seconds = &seconds},
		{.name = "seed", .whole = &seed, 0, INT64_MAX},
	};
	const int status =
		bench_options(TOOL, help, options,
			      sizeof(options) / sizeof(options[0]), argc, argv);

	if (status >= 0)
		return status;
	if (how)
		return serve(how);
	if (sodium_init() < 0)
		return PL_EXIT_SYSTEM;
	return agent ? flood_one(agent, packets, pps, seed)
		     : compare(seconds, seed);
}

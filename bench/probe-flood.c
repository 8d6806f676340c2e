/* SPDX-License-Identifier: BSD-3-Clause */
/* probe-flood.c - what packets that nobody wants cost an agent in its round */
#include "config.h"

#include "bench/flood.h"
#include "bench/options.h"
#include "base/clock.h"
#include "probes/agent/agent.h"
#include "src/common/tool.h"

#include <sodium.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define TOOL "probe-flood"
#define S INT64_C(1000000000)
#define BATCH 50 /* a socket's buffer holds more than four of them */
#define LOOPBACK "127.0.0.0/8"

static const char help[] =
	"usage: probe-flood [OPTION]...\n"
	"Is the peer of an agent's round, and sends it packets that must not be answered.\n"
	"After every 50 or 200 one right request, which alone must be. What anybody can send:\n"
	"random, cut short, from another port. What only somebody can who sees the\n"
	"run's packets and sends by the peer's address: forged (all right but the tag),\n"
	"replayed, of an earlier round, replies to nothing or once more, its own packets.\n"
	"\n"
	"With --agent: all kinds in turn, or one; how many of each were sent and answered,\n"
	"and the agent's processor time; then that of the right requests alone, at the\n"
	"same pace for 5 s at most. Without: its share of a core at 8000, 50000 and 200000\n"
	"packets/s.\n"
	"\n"
	"  --agent=FILE  plink-agent\n"
	"  --packets=N   with --agent (default 1000000)\n"
	"  --kind=N      with --agent: only that one, by its line in the output, from 1\n"
	"  --pps=N       with --agent: at most so many per second (default: no limit)\n"
	"  --every=N     with --agent: packets for each right request (default 50)\n"
	"  --probes=N    with --agent: that the agent measures us by meanwhile (default 200)\n"
	"  --seconds=S   without it: of each flood (default 1)\n"
	"  --seed=N      (default 1)\n"
	"  --serve=1     be an agent: for the program's own use\n"
	"  --help, --version\n"
	"Exit: 0 only right requests were answered, and all of them, and the agent's\n"
	"own result is what we answered; 1 not so; 2 usage; 4 system.\n";

static void keep_pace(int64_t begun_ns, int64_t n, int64_t pps)
{
	const int64_t left = pps ? begun_ns + n * S / pps - pl_clock_ns() : 0;
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
static struct cost flood(struct flood *f, int64_t n, int64_t pps, unsigned first, unsigned last,
			 int64_t ask_every)
{
	const double cpu = cpu_seconds(f->agent.pid);
	const int64_t begun = pl_clock_ns();
	struct cost cost = {.well = flood_ask(f)};

	for (int64_t k = 0; cost.well && k < n; k++) {
		flood_send(f, (enum flood_kind)(first + k % (last - first)));
		if (k % BATCH == BATCH - 1)
			keep_pace(begun, k, pps);
		if (k % ask_every == ask_every - 1)
			cost.well = flood_ask(f);
	}
	cost.wall = (double)(pl_clock_ns() - begun) / 1e9;
	cost.cpu = cpu_seconds(f->agent.pid) - cpu;
	cost.well = flood_finish(f) && cost.well && f->strangers == 0;
	return cost;
}

#define ALONE_S 5

/* As many right requests in a time, and nothing else; of a long time a part. */
static struct cost ask_only(struct flood *f, uint64_t asks, double wall)
{
	const double cpu = cpu_seconds(f->agent.pid);
	const int64_t begun = pl_clock_ns();
	const int64_t pps = (int64_t)((double)asks / wall) + 1;
	struct cost cost = {.well = true};

	if (wall > ALONE_S)
		asks = (uint64_t)((double)asks * ALONE_S / wall);
	for (uint64_t k = 0; cost.well && k < asks; k++) {
		cost.well = flood_ask(f);
		keep_pace(begun, (int64_t)k, pps);
	}
	cost.wall = (double)(pl_clock_ns() - begun) / 1e9;
	cost.cpu = cpu_seconds(f->agent.pid) - cpu;
	cost.well = flood_finish(f) && cost.well && f->strangers == 0;
	return cost;
}

static void print(const struct flood *f, const struct cost *cost)
{
	uint64_t n = f->asked;

	for (size_t k = 0; k < FLOOD_KINDS; k++) {
		printf("%10llu %s\n", (unsigned long long)f->sent[k], flood_names[k]);
		n += f->sent[k];
	}
	printf("%10llu right requests among them, %llu replies to anything else\n",
	       (unsigned long long)f->asked, (unsigned long long)f->strangers);
	printf("%10llu refused, %llu out of their round, by the agent's count\n",
	       (unsigned long long)f->refused, (unsigned long long)f->stale);
	printf("%10llu probes of the agent's, %llu answered, %llu lost, %llu duplicate, by its "
	       "result\n",
	       (unsigned long long)f->result.sent, (unsigned long long)f->result.answered,
	       (unsigned long long)f->result.lost, (unsigned long long)f->result.duplicate);
	printf("%.0f packets/s in %.2f s; the agent's processor: %.2f s, %.2f us a packet, %.1f %% "
	       "of a core\n",
	       (double)n / cost->wall, cost->wall, cost->cpu, 1e6 * cost->cpu / (double)n,
	       100 * cost->cpu / cost->wall);
}

/* Of one flood at an agent: options of the same names. */
struct order {
	const char *agent;
	int64_t packets, pps, kind, every, probes, seed;
};

static int flood_one(const struct order *o)
{
	char *argv[] = {(char *)o->agent, (char *)"--iface=" LOOPBACK, (char *)"--patience=86400",
			NULL};
	const unsigned first = o->kind ? (unsigned)o->kind - 1 : 0;
	const unsigned last = o->kind ? (unsigned)o->kind : FLOOD_KINDS;
	struct flood f = {0}, quiet = {0};
	struct pl_err err = {0};
	struct cost cost, base;

	pl_rng_init(&f.rng, (uint64_t)o->seed, 0);
	pl_rng_init(&quiet.rng, (uint64_t)o->seed, 0);
	if (!flood_start(&f, argv, (uint32_t)o->probes, &err))
		return pl_tool_fail(TOOL, &err);
	cost = flood(&f, o->packets, o->pps, first, last, o->every);
	print(&f, &cost);
	if (!flood_start(&quiet, argv, (uint32_t)o->probes, &err))
		return pl_tool_fail(TOOL, &err);
	base = ask_only(&quiet, f.asked, cost.wall);
	printf("the right requests alone: %.2f s, %.1f %% of a core; what must not be answered: "
	       "%.1f %%, %.2f times that\n",
	       base.cpu, 100 * base.cpu / base.wall,
	       100 * (cost.cpu / cost.wall - base.cpu / base.wall),
	       base.cpu > 0 ? cost.cpu / cost.wall * base.wall / base.cpu - 1 : 0);
	cost.well = cost.well && base.well;
	if (!cost.well)
		pl_tool_say(TOOL, "not as it should be");
	return cost.well ? PL_EXIT_DONE : PL_EXIT_PARTIAL;
}

/* What a flood is of: kinds from first to before last in turn. */
static const struct {
	const char *name;
	unsigned first, last;
} sorts[] = {
	{"anybody", 0, FLOOD_ANYBODY},
	{"forged", FLOOD_FORGED, FLOOD_FORGED + 1},
	{"replayed", FLOOD_REPLAYED, FLOOD_REPLAYED + 1},
	{"the peer's", FLOOD_ANYBODY, FLOOD_KINDS},
};
#define SORTS (sizeof(sorts) / sizeof(sorts[0]))

/* One flood at an agent of this program's own, and a line of what it has cost. */
static int price(size_t sort, int64_t pps, double seconds, int64_t seed)
{
	char *argv[] = {(char *)"/proc/self/exe", (char *)"--serve=1", NULL};
	const int64_t n = (int64_t)(seconds * (double)pps);
	const double ours = cpu_seconds(getpid());
	struct flood f = {0};
	struct pl_err err = {0};
	struct cost cost;

	pl_rng_init(&f.rng, (uint64_t)seed, 0);
	if (!flood_start(&f, argv, 1, &err))
		return pl_tool_fail(TOOL, &err);
	cost = flood(&f, n, pps, sorts[sort].first, sorts[sort].last, 4 * BATCH);
	printf("%9lld %-10s %6.2f %6.2f\n", (long long)pps, sorts[sort].name,
	       100 * cost.cpu / cost.wall,
	       1e6 * (cost.cpu + cpu_seconds(getpid()) - ours) / (double)n);
	fflush(stdout);
	return cost.well ? PL_EXIT_DONE : PL_EXIT_PARTIAL;
}

static int price_all(double seconds, int64_t seed)
{
	static const int64_t rates[] = {8000, 50000, 200000};

	printf("%% of a core that the agent takes; us of processor a packet, sending and the\n"
	       "kernel's work included\n%-9s %-10s %6s %6s\n",
	       "packets/s", "sent by", "core", "us");
	for (size_t i = 0; i < SORTS * sizeof(rates) / sizeof(rates[0]); i++) {
		const int status = price(i % SORTS, rates[i / SORTS], seconds, seed);

		if (status != PL_EXIT_DONE)
			return status;
	}
	return PL_EXIT_DONE;
}

static int serve(void)
{
	const struct pl_agent_options options = {
		.iface = LOOPBACK,
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
		.patience_ns = INT64_MAX,
	};

	return pl_agent_run(&options, NULL) ? PL_EXIT_SYSTEM : PL_EXIT_DONE;
}

int main(int argc, char **argv)
{
	struct order order = {.packets = 1000000, .every = BATCH, .probes = 200, .seed = 1};
	double seconds = 1;
	int64_t serves = 0;
	const struct bench_option options[] = {
		{.name = "agent", .text = &order.agent},
		{.name = "serve", .whole = &serves, 1, 1},
		{.name = "packets", .whole = &order.packets, 1, 1000000000},
		{.name = "kind", .whole = &order.kind, 1, FLOOD_KINDS},
		{.name = "pps", .whole = &order.pps, 1, 10000000},
		{.name = "every", .whole = &order.every, 1, 1000000},
		{.name = "probes", .whole = &order.probes, 2, PL_PROBES_LIMIT},
		{.name = "seconds", .seconds = &seconds},
		{.name = "seed", .whole = &order.seed, 0, INT64_MAX},
	};
	const int status = bench_options(TOOL, help, options, sizeof(options) / sizeof(options[0]),
					 argc, argv);

	if (status >= 0)
		return status;
	if (serves)
		return serve();
	if (sodium_init() < 0)
		return PL_EXIT_SYSTEM;
	return order.agent ? flood_one(&order) : price_all(seconds, order.seed);
}

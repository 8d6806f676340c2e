/* SPDX-License-Identifier: BSD-3-Clause */
/* plink-hub.c - an aggregator for the all-reduces of jobs, and their parameter server */
#include "config.h"

#include "base/nocore.h"
#include "engine/schedule.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/hub/listen.h"
#include "src/hub/serve.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define TIMEOUT_S 600
#define DAY_S 86400

/* clang-format off */
static const char help[] =
"Usage: plink-hub [OPTION]... SCHEDULE\n"
"       plink-hub [OPTION]... --listen=HOST:PORT --jobs=FILE\n"
"Runs on a host without ranks of a job, as an aggregator of its schedule\n"
"(plink-order --aggregators): adds up the data of all-reduces, or keeps\n"
"parameters and runs their optimiser. Ends with the job; with --listen, serves\n"
"several jobs.\n"
"\n"
"  --meet=HOST:PORT     where rank 0 of the job waits for hubs\n"
"                       (PLINK_HUB_MEET)\n"
"  --secret=FILE        file with the secret of the job and its hubs, its owner's\n"
"                       alone (PLINK_HUB_SECRET)\n"
"  --name=NAME          name of this aggregator in the schedule (PLINK_HOST, or\n"
"                       the machine's name)\n"
"  --timeout=TIME       the longest time to wait for the job (10m)\n"
"  --threads=N          threads that add up, for each job (as many as processors,\n"
"                       but no more than the schedule has connections)\n"
"  --listen=HOST:PORT   wait there for jobs, until a signal comes\n"
"  --jobs=FILE          file with lines of the name and the secret of a job, its\n"
"                       owner's alone\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 the job has ended, 2 usage, 3 bad input, 4 system, or a rank has\n"
"failed.\n";
/* clang-format on */

struct options {
	struct hub_options hub;
	bool done; /* help or version was printed: exit with the status */
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"meet", required_argument, 0, pl_take_filled, AT(hub.meet)},
	{"secret", required_argument, 0, pl_take_filled, AT(hub.secret)},
	{"name", required_argument, 0, pl_take_filled, AT(hub.name)},
	{"listen", required_argument, 0, pl_take_filled, AT(hub.listen)},
	{"jobs", required_argument, 0, pl_take_filled, AT(hub.jobs)},
	{"threads", required_argument, 0, pl_take_whole, AT(hub.threads),
	 .min = 1, .max = PL_CONNECTIONS_MAX},
	{"timeout", required_argument, 0, pl_take_seconds, AT(hub.timeout_s),
	 .least = 0.001, .most = DAY_S},
	{0},
};
/* clang-format on */

static size_t processors(void)
{
	const long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 1 ? (size_t)n : 1;
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct pl_options options = {.tool = HUB_TOOL, .option = table, .help = help};
	int status;

	*o = (struct options){.hub = {.meet = getenv("PLINK_HUB_MEET"),
				      .secret = getenv("PLINK_HUB_SECRET"),
				      .timeout_s = TIMEOUT_S,
				      .threads = processors()}};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (!o->hub.listen != !o->hub.jobs)
		return pl_tool_usage(HUB_TOOL, "--%s is wanted", o->hub.listen ? "jobs" : "listen");
	if (o->hub.listen && argc > optind)
		return pl_tool_usage(HUB_TOOL, "with --listen, jobs bring the schedules");
	if (o->hub.listen)
		return PL_EXIT_DONE;
	if (argc - optind != 1)
		return pl_tool_usage(HUB_TOOL, "exactly one schedule is needed");
	o->hub.schedule = argv[optind];
	if (!o->hub.meet || !o->hub.secret)
		return pl_tool_usage(HUB_TOOL, "--%s is wanted", o->hub.meet ? "secret" : "meet");
	return PL_EXIT_DONE;
}

/* Each connection of a job is a descriptor. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int main(int argc, char **argv)
{
	struct hub_done done = {.calls = 0};
	struct pl_nocore core;
	struct options o;
	struct pl_err err = {0};
	int status, rc;

	pl_tool_begin();
	signal(SIGPIPE, SIG_IGN);
	status = parse(&o, argc, argv);
	if (status != PL_EXIT_DONE || o.done)
		return status;
	pl_nocore_begin(&core);
	allow_descriptors();
	if (o.hub.listen) {
		rc = hub_listen(&o.hub, &err);
	} else {
		rc = hub_serve(&o.hub, &done, &err);
		if (rc == 0 || done.calls > 0)
			hub_say_done("", &done);
	}
	return rc ? pl_tool_fail(HUB_TOOL, &err) : PL_EXIT_DONE;
}

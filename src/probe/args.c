/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe */
#include "config.h"

#include "src/probe/args.h"

#include "probes/launch.h"
#include "probes/ports.h"
#include "probes/prober.h"
#include "src/hosts-slurm.h"
#include "src/number.h"
#include "src/tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "plink-probe";

#define BUDGET_MAX_S 1e6
#define BUDGET_MAX_PROBES INT64_C(1000000000000000)
#define PPS_MAX 1e9

static const char help[] =
	"usage: plink-probe [OPTION]... HOSTS\n"
	"Starts an agent on every host of the list HOSTS (a file, - for "
	"standard\n"
	"input, or slurm for the nodes of the job), measures the round trip "
	"between\n"
	"every two of them and writes a matrix.\n"
	"\n"
	"  -o, --output=FILE        write there instead of standard output\n"
	"      --json               JSON instead of a matrix file\n"
	"      --launch=TEMPLATE    how to run a command on a host; %h is its "
	"name\n"
	"                           (default: ssh -oBatchMode=yes %h), or "
	"one of\n"
	"                           ssh, srun, mpirun, kubectl\n"
	"      --agent=COMMAND      what to run there (default: plink-agent)\n"
	"      --push[=FILE]        send FILE (default: plink-agent here) to "
	"hosts\n"
	"                           that have none\n"
	"      --iface=NAME|CIDR    interface or network to measure\n"
	"      --ports=LO-HI        UDP ports of the agents (default: any)\n"
	"      --hosts-format=FORM  list (default) or seq: a line per rank\n"
	"      --probes=MIN-MAX     probes per pair and direction (40-1000)\n"
	"      --precision=PERCENT  a pair is settled when its 10th "
	"percentile\n"
	"                           is known so well (2) ...\n"
	"      --precision-us=US    ... and so many microseconds (10)\n"
	"      --gap=US             least time between a pair's probes (1000)\n"
	"      --pair-time=S        enough for a pair that has MIN replies "
	"(1)\n"
	"      --silence=S          give a pair up, unanswered for so long "
	"(5)\n"
	"      --flows=K            UDP ports that a pair is measured over, in "
	"turn (4)\n"
	"      --pps=N              packets that a host may send per second "
	"(any)\n"
	"      --budget=SECONDSs|N  end after so many seconds (30s) or probes\n"
	"      --again=PERCENT      of the pairs that may be measured again if "
	"they\n"
	"                           look disturbed (10)\n"
	"      --drift=K            pairs measured first and again at the end "
	"(16)\n"
	"      --resume=FILE        measure only what is missing in that "
	"matrix\n"
	"      --dry-run            say what it would take, start nothing\n"
	"      --start-time=S       how long an agent may take to start (30)\n"
	"  -v, --verbose            say more on standard error\n"
	"      --help               this text\n"
	"      --version            version of plink\n";

enum {
	JSON = 256,
	LAUNCH,
	AGENT,
	PUSH,
	IFACE,
	PORTS,
	FORMAT,
	PROBES,
	PRECISION,
	PRECISION_US,
	GAP,
	PAIR_TIME,
	SILENCE,
	START_TIME,
	FLOWS,
	PPS,
	BUDGET,
	AGAIN,
	DRIFT,
	RESUME,
	DRY_RUN,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"output", required_argument, NULL, 'o'},
	{"json", no_argument, NULL, JSON},
	{"launch", required_argument, NULL, LAUNCH},
	{"agent", required_argument, NULL, AGENT},
	{"push", optional_argument, NULL, PUSH},
	{"iface", required_argument, NULL, IFACE},
	{"ports", required_argument, NULL, PORTS},
	{"hosts-format", required_argument, NULL, FORMAT},
	{"probes", required_argument, NULL, PROBES},
	{"precision", required_argument, NULL, PRECISION},
	{"precision-us", required_argument, NULL, PRECISION_US},
	{"gap", required_argument, NULL, GAP},
	{"pair-time", required_argument, NULL, PAIR_TIME},
	{"silence", required_argument, NULL, SILENCE},
	{"start-time", required_argument, NULL, START_TIME},
	{"flows", required_argument, NULL, FLOWS},
	{"pps", required_argument, NULL, PPS},
	{"budget", required_argument, NULL, BUDGET},
	{"again", required_argument, NULL, AGAIN},
	{"drift", required_argument, NULL, DRIFT},
	{"resume", required_argument, NULL, RESUME},
	{"dry-run", no_argument, NULL, DRY_RUN},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* A number in [0, max] of units of @unit_ns. */
static int parse_span(const char *name, const char *s, double max,
		      int64_t unit_ns, int64_t *out)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= max))
		return pl_tool_usage(tool,
				     "--%s wants a number from 0 to %g, "
				     "not \"%s\"",
				     name, max, s);
	*out = (int64_t)(value * (double)unit_ns);
	return PL_EXIT_DONE;
}

/* The same, and more than nothing. */
static int parse_time(const char *name, const char *s, int64_t *out)
{
	const int status = parse_span(name, s, 3600, 1000000000, out);

	if (status == PL_EXIT_DONE && *out == 0)
		return pl_tool_usage(tool, "--%s wants more than 0", name);
	return status;
}

static int parse_percent(const char *name, const char *s, double *out)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value >= 0 && value <= 100))
		return pl_tool_usage(
			tool, "--%s wants a percentage, not \"%s\"", name, s);
	*out = value / 100;
	return PL_EXIT_DONE;
}

static int parse_count(const char *name, const char *s, int64_t min,
		       int64_t max, int64_t *out)
{
	if (pl_int_parse(s, strlen(s), min, max, out))
		return pl_tool_usage(tool,
				     "--%s wants a whole number from %" PRId64
				     " to %" PRId64 ", not \"%s\"",
				     name, min, max, s);
	return PL_EXIT_DONE;
}

/* "30s" or "100000". */
static int parse_budget(const char *s, struct pl_probe_options *o)
{
	const size_t len = strlen(s);
	double seconds;
	int64_t probes;

	if (len > 1 && s[len - 1] == 's') {
		if (pl_double_parse(s, len - 1, &seconds) ||
		    !(seconds > 0 && seconds <= BUDGET_MAX_S))
			goto bad;
		o->budget_ns = (int64_t)(seconds * 1e9);
		o->budget_probes = 0;
		return PL_EXIT_DONE;
	}
	if (pl_int_parse(s, len, 1, BUDGET_MAX_PROBES, &probes))
		goto bad;
	o->budget_probes = (uint64_t)probes;
	o->budget_ns = 0;
	return PL_EXIT_DONE;
bad:
	return pl_tool_usage(tool,
			     "--budget wants seconds, as in 30s, or a number "
			     "of probes, not \"%s\"",
			     s);
}

static int parse_pps(const char *s, double *out)
{
	double value;

	if (pl_double_parse(s, strlen(s), &value) ||
	    !(value > 0 && value <= PPS_MAX))
		return pl_tool_usage(tool,
				     "--pps wants packets per second, more "
				     "than 0 and up to %g, not \"%s\"",
				     PPS_MAX, s);
	*out = value;
	return PL_EXIT_DONE;
}

static int parse_probes(const char *s, struct pl_probe_options *o)
{
	int64_t min, max;

	if (pl_int_parse_range(s, 1, PL_PROBES_LIMIT, &min, &max))
		return pl_tool_usage(
			tool, "--probes wants MIN-MAX, 1 to %d, not \"%s\"",
			PL_PROBES_LIMIT, s);
	o->probes_min = (uint32_t)min;
	o->probes_max = (uint32_t)max;
	return PL_EXIT_DONE;
}

static int parse_form(const char *s, enum pl_hosts_form *form)
{
	if (!strcmp(s, "list"))
		*form = PL_HOSTS_LIST;
	else if (!strcmp(s, "seq"))
		*form = PL_HOSTS_SEQ;
	else
		return pl_tool_usage(
			tool, "--hosts-format is list or seq, not \"%s\"", s);
	return PL_EXIT_DONE;
}

/* How much is measured. */
static int take_extent(struct pl_probe_options *o, int opt, const char *arg)
{
	int64_t value;
	int status;

	switch (opt) {
	case PPS:
		return parse_pps(arg, &o->pps);
	case BUDGET:
		return parse_budget(arg, o);
	case AGAIN:
		return parse_percent("again", arg, &o->again_share);
	case FLOWS:
		status = parse_count("flows", arg, 1, PL_FLOWS_MAX, &value);
		if (status == PL_EXIT_DONE)
			o->flows = (unsigned)value;
		return status;
	case DRIFT:
		status = parse_count("drift", arg, 0, PL_MATRIX_HOSTS_MAX / 2,
				     &value);
		if (status == PL_EXIT_DONE)
			o->drift_pairs = (size_t)value;
		return status;
	}
	return pl_tool_usage(tool, "unknown option");
}

/* Options of the measurement. */
static int take_probe(struct pl_probe_options *o, int opt, char *arg)
{
	switch (opt) {
	case LAUNCH:
		o->launch = pl_launch_template(arg);
		return PL_EXIT_DONE;
	case AGENT:
		o->agent = arg;
		return PL_EXIT_DONE;
	case IFACE:
		o->iface = arg;
		return PL_EXIT_DONE;
	case PORTS:
		if (!pl_ports_parse(arg, &o->port_min, &o->port_max))
			return PL_EXIT_DONE;
		return pl_tool_usage(tool, "--ports wants LO-HI, not \"%s\"",
				     arg);
	case PROBES:
		return parse_probes(arg, o);
	case PRECISION:
		return parse_percent("precision", arg, &o->precision);
	case PRECISION_US:
		return parse_span("precision-us", arg, 1e9, 1000,
				  &o->precision_ns);
	case GAP:
		return parse_span("gap", arg, 1e9, 1000, &o->gap_ns);
	case PAIR_TIME:
		return parse_time("pair-time", arg, &o->pair_ns);
	case SILENCE:
		return parse_time("silence", arg, &o->silence_ns);
	case START_TIME:
		return parse_time("start-time", arg, &o->start_ns);
	}
	return take_extent(o, opt, arg);
}

_Static_assert(sizeof(longs) / sizeof(longs[0]) <= PROBE_ASKED_MAX,
	       "room for every option");

/* Remembers an option; of one that comes again, the last. */
static void remember(struct probe_args *args, int opt, const char *value)
{
	const char *name = NULL;
	size_t i;

	for (i = 0; longs[i].name; i++)
		if (longs[i].val == opt)
			name = longs[i].name;
	for (i = 0; i < args->n_asked; i++)
		if (args->asked[i].name == name)
			break;
	if (i == args->n_asked)
		args->n_asked++;
	args->asked[i] = (struct probe_asked){name, value};
}

static int take(struct probe_args *args, int opt, char *arg)
{
	int status;

	switch (opt) {
	case 'o':
		args->output = arg;
		return PL_EXIT_DONE;
	case 'v':
		args->verbose = true;
		return PL_EXIT_DONE;
	case JSON:
		args->json = true;
		return PL_EXIT_DONE;
	case DRY_RUN:
		args->dry_run = true;
		return PL_EXIT_DONE;
	case RESUME:
		args->resume = arg;
		return PL_EXIT_DONE;
	case FORMAT:
		return parse_form(arg, &args->form);
	case SHOW_HELP:
		args->done = true;
		return pl_tool_help(tool, help);
	case SHOW_VERSION:
		args->done = true;
		return pl_tool_version(tool);
	}
	if (opt == PUSH) {
		args->push = true;
		args->probe.push = arg;
		status = PL_EXIT_DONE;
	} else {
		status = take_probe(&args->probe, opt, arg);
	}
	if (status == PL_EXIT_DONE)
		remember(args, opt, arg ? arg : "");
	return status;
}

int probe_args_parse(struct probe_args *args, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*args = (struct probe_args){.form = PL_HOSTS_LIST};
	pl_probe_defaults(&args->probe);
	args->probe.agent = NULL;
	while (status == PL_EXIT_DONE && !args->done &&
	       (opt = getopt_long(argc, argv, "o:v", longs, NULL)) != -1)
		status = take(args, opt, optarg);
	if (status != PL_EXIT_DONE || args->done)
		return status;
	if (args->push && args->probe.agent)
		return pl_tool_usage(tool, "--push sends the agent that "
					   "--agent would look for: name one");
	if (argc - optind != 1)
		return pl_tool_usage(tool, argc == optind
						   ? "a host list is wanted"
						   : "one host list is wanted");
	args->hosts = argv[optind];
	if (pl_hosts_are_slurms(args->hosts) && args->form == PL_HOSTS_SEQ)
		return pl_tool_usage(tool, "--hosts-format=seq is of files: "
					   "the hosts of a job come once");
	return PL_EXIT_DONE;
}

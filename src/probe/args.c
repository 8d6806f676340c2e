/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe */
#include "config.h"

#include "src/probe/args.h"

#include "base/hosts/hosts-slurm.h"
#include "base/text/number.h"
#include "probes/pair/prober.h"
#include "probes/protocol/flow.h"
#include "src/common/options.h"
#include "src/common/probing.h"
#include "src/common/tool.h"
#include "src/probe/values.h"
#include "topology/sparse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "plink-probe";

/* clang-format off */
static const char help[] =
"usage: plink-probe [OPTION]... HOSTS\n"
"Starts an agent on every host of the list HOSTS (a file, - for standard\n"
"input, or slurm for the nodes of the job), measures the round trip between\n"
"every two of them and writes a matrix.\n"
"\n"
"  -o, --output=FILE        write there instead of standard output\n"
"      --json               JSON instead of a matrix file\n"
"      --launch=TEMPLATE    command that starts a program on host %h\n"
"                           (default: ssh -oBatchMode=yes %h), or one of\n"
"                           ssh, srun, mpirun, kubectl\n"
"      --agent=COMMAND      command to start there (default: plink-agent)\n"
"      --push[=FILE]        send FILE (default: plink-agent here) to the\n"
"                           hosts\n"
"      --iface=NAME|CIDR    interface or network to measure\n"
"      --ports=LO-HI        UDP and TCP ports of the agents (default: any)\n"
"      --hosts-format=FORM  list (default) or seq: a line per rank\n"
"      --probes=MIN-MAX     probes per pair and direction (40-1000)\n"
"      --precision=PERCENT  a pair is settled when its 10th percentile is\n"
"                           known to PERCENT (2) plus 10 us\n"
"      --gap=TIME           least time between a pair's probes (1000us; a\n"
"                           bare number counts us)\n"
"      --flows=K            UDP ports used in turn to measure a pair (4)\n"
"      --pps=N              packets that a host may send per second (any)\n"
"      --time=TIME          end after that time, as 30s, 5m, 1h\n"
"      --max-probes=N       end after this many probes\n"
"      --resume=FILE        measure only what is missing in that matrix\n"
"      --topology=FILE      measure few pairs, chosen by the location of hosts\n"
"                           in FILE\n"
"      --topology-label=KEY[,KEY]  labels of Kubernetes' nodes that say where\n"
"                           they are, widest first\n"
"      --sparse[=K]         measure few pairs, K per host (64), chosen by\n"
"                           earlier measurements\n"
"      --seed=N             seed of the choice (1)\n"
"      --bandwidth=HOW      measure TCP: few (default), the rates of cards and\n"
"                           uplinks by few flows; or each pair: alone,\n"
"                           together (with others), alone,together; or no\n"
"      --streams=K          TCP connections of a flow (1)\n"
"      --dry-run            count pairs and flows, start nothing\n"
"      --start-time=TIME    how long an agent may take to start (30s)\n"
"      --fanout=K           agents that may be starting at once (64)\n"
"  -q, --quiet              say only what is wrong\n"
"  -v, --verbose            report more on standard error\n"
"  -h, --help               this text\n"
"  -V, --version            version of plink\n";
/* clang-format on */

/* The options of the measurement. */
static struct pl_probe_options *probe_of(void *o)
{
	return &((struct probe_args *)o)->probe;
}

static int take_pps(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	double pps;

	if (pl_double_parse(value, strlen(value), &pps) || !(pps > 0 && pps <= option->most))
		return pl_err_set(
			err, PL_EUSAGE,
			"--%s wants packets per second, more than 0 and up to %g, not \"%s\"",
			option->name, option->most, value);
	probe_of(o)->pps = pps;
	return 0;
}

/* Words with commas between them; none: few flows. "no" stands alone. */
static int take_bandwidth(void *o, const struct pl_option *option, const char *value,
			  struct pl_err *err)
{
	static const struct {
		const char *word;
		unsigned ways;
	} known[] = {
		{"few", PL_BANDWIDTH_FEW},
		{"alone", PL_BANDWIDTH_ALONE},
		{"together", PL_BANDWIDTH_TOGETHER},
		{"both", PL_BANDWIDTH_ALONE | PL_BANDWIDTH_TOGETHER},
	};
	unsigned *out = &probe_of(o)->bandwidth;
	const char *s = value && strcmp(value, "no") != 0 ? value : NULL;

	((struct probe_args *)o)->bandwidth_asked = true;
	*out = value ? 0 : PL_BANDWIDTH_FEW;
	while (s) {
		const size_t len = strcspn(s, ",");
		size_t k = 0;

		while (k < sizeof(known) / sizeof(*known) &&
		       (strlen(known[k].word) != len || strncmp(s, known[k].word, len) != 0))
			k++;
		if (k == sizeof(known) / sizeof(*known))
			return pl_err_set(
				err, PL_EUSAGE,
				"--%s is few, alone, together, alone,together or no, not \"%s\"",
				option->name, value);
		*out |= known[k].ways;
		s = s[len] ? s + len + 1 : NULL;
	}
	return 0;
}

#define US 1000
#define AT(member) PL_OPTION_AT(struct probe_args, member)

static const char *const forms[] = {"list", "seq", NULL}; /* as the enum */

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"launch", required_argument, 0, pl_take_launch, AT(probe.launch)},
	{"agent", required_argument, 0, pl_take_text, AT(probe.agent)},
	{"push", optional_argument, 0, pl_take_text, AT(probe.push),
	 .also = offsetof(struct probe_args, push)},
	{"iface", required_argument, 0, pl_take_text, AT(probe.iface)},
	{"ports", required_argument, 0, pl_take_ports, AT(probe.ports)},
	{"hosts-format", required_argument, 0, pl_take_word, AT(form),
	 .words = forms},
	{"probes", required_argument, 0, probe_take_probes, AT(probe)},
	{"precision", required_argument, 0, probe_take_percent,
	 AT(probe.precision)},
	{"gap", required_argument, 0, pl_take_time, AT(probe.gap_ns),
	 .unit_ns = US, .most = 1000},
	{"start-time", required_argument, 0, pl_take_time,
	 AT(probe.start_ns), .least = 1e-9, .most = 3600},
	{"fanout", required_argument, 0, pl_take_whole, AT(probe.fanout),
	 1, PL_MATRIX_HOSTS_MAX},
	{"flows", required_argument, 0, pl_take_whole, AT(probe.flows),
	 1, PL_FLOWS_MAX},
	{"pps", required_argument, 0, .take = take_pps, .most = 1e9},
	{"time", required_argument, 0, pl_take_time, AT(probe.budget_ns),
	 .least = 1e-9, .most = PROBE_TIME_MAX_S},
	{"max-probes", required_argument, 0, pl_take_whole,
	 AT(probe.budget_probes), 1, PROBE_PROBES_MAX},
	{"resume", required_argument, 0, pl_take_filled, AT(resume)},
	{"topology", required_argument, 0, pl_take_filled, AT(topology)},
	{"topology-label", required_argument, 0, pl_take_filled, AT(topology_label)},
	{"sparse", optional_argument, 0, pl_take_whole, AT(per_host),
	 PL_SPARSE_LEAST, PL_MATRIX_HOSTS_MAX, .absent = 64},
	{"seed", required_argument, 0, pl_take_whole, AT(seed), 0, INT64_MAX},
	{"bandwidth", optional_argument, 0, .take = take_bandwidth},
	{"streams", required_argument, 0, pl_take_whole, AT(probe.streams),
	 1, PL_STREAMS_MAX},
	{"dry-run", no_argument, 0, pl_take_flag, AT(dry_run)},
	{0},
};
/* clang-format on */

_Static_assert(sizeof(table) / sizeof(table[0]) <= PROBE_ASKED_MAX, "room for every option");

static void remember(void *o, const struct pl_option *option, const char *value)
{
	probe_asked_take(o, option, value);
}

/* By default rates are measured, unless what is asked for excludes flows. */
static void settle_bandwidth(struct probe_args *args)
{
	const struct pl_probe_options *o = &args->probe;

	if (!args->bandwidth_asked &&
	    (args->topology || args->per_host || o->pps > 0 || o->budget_probes > 0))
		args->probe.bandwidth = 0;
}

int probe_args_parse(struct probe_args *args, int argc, char **argv)
{
	static const struct pl_options options = {.tool = tool,
						  .option = table,
						  .help = help,
						  .verbose = offsetof(struct probe_args, verbose),
						  .taken = remember};
	int status;

	*args = (struct probe_args){.form = PL_HOSTS_LIST, .seed = 1};
	pl_probe_defaults(&args->probe);
	args->probe.agent = NULL;
	args->probe.bandwidth = PL_BANDWIDTH_FEW;
	status = pl_options_parse(&options, argc, argv, args, &args->done);
	if (status != PL_EXIT_DONE || args->done)
		return status;
	args->next = (struct pl_next){argv, optind, table};
	settle_bandwidth(args);
	status = probe_args_check(args);
	if (status != PL_EXIT_DONE)
		return status;
	if (argc - optind != 1)
		return pl_tool_usage(tool, argc == optind ? "a host list is missing"
							  : "exactly one host list is needed");
	args->hosts = argv[optind];
	if (pl_hosts_are_slurms(args->hosts) && args->form == PL_HOSTS_SEQ)
		return pl_tool_usage(
			tool,
			"--hosts-format=seq is for files: slurm lists each host of the job once");
	status = pl_tool_spares(tool, args->output, args->hosts);
	return status ? status : pl_tool_spares(tool, args->output, args->probe.push);
}

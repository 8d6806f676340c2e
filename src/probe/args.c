/* SPDX-License-Identifier: BSD-3-Clause */
/* args.c - the command line of plink-probe */
#include "config.h"

#include "src/probe/args.h"

#include "base/hosts/hosts-slurm.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "probes/launch/launch.h"
#include "probes/pair/prober.h"
#include "probes/protocol/flow.h"
#include "probes/protocol/ports.h"
#include "probes/relay/relay.h"
#include "src/common/tool.h"
#include "src/probe/values.h"
#include "topology/sparse.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "plink-probe";

#define PPS_MAX 1e9
#define CALIBRATE_HOSTS 8

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
	"      --method=udp|fping   agents on all hosts (udp), or fping for "
	"hosts\n"
	"                           without plink\n"
	"      --calibrate[=HOSTS]  measure some hosts (8) with agents too, "
	"and note\n"
	"                           the difference (with --method=fping)\n"
	"      --launch=TEMPLATE    command that starts a program on host %h\n"
	"                           (default: ssh -oBatchMode=yes %h), or one "
	"of\n"
	"                           ssh, srun, mpirun, kubectl\n"
	"      --agent=COMMAND      command to start there (default: "
	"plink-agent)\n"
	"      --push[=FILE]        send FILE (default: plink-agent here) to "
	"the\n"
	"                           hosts\n"
	"      --iface=NAME|CIDR    interface or network to measure\n"
	"      --ports=LO-HI        UDP and TCP ports of the agents (default: "
	"any)\n"
	"      --hosts-format=FORM  list (default) or seq: a line per rank\n"
	"      --probes=MIN-MAX     probes per pair and direction (40-1000)\n"
	"      --precision=PERCENT  a pair is settled when its 10th percentile "
	"is\n"
	"                           known to PERCENT (2) ...\n"
	"      --precision-us=US    ... plus US microseconds (10)\n"
	"      --gap=US             least time between a pair's probes (1000)\n"
	"      --pair-time=S        time limit of a pair that has MIN replies "
	"(1)\n"
	"      --silence=S          give up a pair without a reply for S "
	"seconds (5)\n"
	"      --flows=K            UDP ports used in turn to measure a pair "
	"(4)\n"
	"      --insecure-4byte     for comparison: the 4-byte packets of the "
	"PLink\n"
	"                           thesis, which nothing protects\n"
	"      --pps=N              packets that a host may send per second "
	"(any)\n"
	"      --budget=SECONDSs|N  end after this many seconds (30s) or "
	"probes\n"
	"      --again=PERCENT      share of pairs that may be measured again "
	"because\n"
	"                           they look disturbed (10)\n"
	"      --drift=K            pairs measured both first and last (16)\n"
	"      --resume=FILE        measure only what is missing in that "
	"matrix\n"
	"      --topology=FILE      measure few pairs, chosen by the location "
	"of hosts\n"
	"                           in FILE\n"
	"      --sparse[=K]         measure few pairs, K per host (64), chosen "
	"by\n"
	"                           earlier measurements\n"
	"      --seed=N             seed of the choice (1)\n"
	"      --bandwidth[=HOW]    also measure TCP: few (default), the rates "
	"of\n"
	"                           cards and uplinks by few flows; or each "
	"pair:\n"
	"                           alone, together (with others), "
	"alone,together\n"
	"      --streams=K          TCP connections of a flow (1)\n"
	"      --flow-time=S        a flow ends after S seconds (1) ...\n"
	"      --flow-bytes=BYTES   ... or this many bytes (256M)\n"
	"      --dry-run            show the expected effort, start nothing\n"
	"      --start-time=S       how long an agent may take to start (30)\n"
	"      --fanout=K           agents that may be starting at once (64)\n"
	"      --tree[=K]           start agents by relays, each for K hosts "
	"(default:\n"
	"                           as many as there are relays)\n"
	"  -v, --verbose            report more on standard error\n"
	"      --help               this text\n"
	"      --version            version of plink\n";

enum {
	JSON = 256,
	METHOD,
	CALIBRATE,
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
	FANOUT,
	TREE,
	FLOWS,
	INSECURE,
	PPS,
	BUDGET,
	AGAIN,
	DRIFT,
	RESUME,
	BANDWIDTH,
	STREAMS,
	FLOW_TIME,
	FLOW_BYTES,
	DRY_RUN,
	TOPOLOGY,
	SPARSE,
	SEED,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"output", required_argument, NULL, 'o'},
	{"json", no_argument, NULL, JSON},
	{"method", required_argument, NULL, METHOD},
	{"calibrate", optional_argument, NULL, CALIBRATE},
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
	{"fanout", required_argument, NULL, FANOUT},
	{"tree", optional_argument, NULL, TREE},
	{"flows", required_argument, NULL, FLOWS},
	{"insecure-4byte", no_argument, NULL, INSECURE},
	{"pps", required_argument, NULL, PPS},
	{"budget", required_argument, NULL, BUDGET},
	{"again", required_argument, NULL, AGAIN},
	{"drift", required_argument, NULL, DRIFT},
	{"resume", required_argument, NULL, RESUME},
	{"topology", required_argument, NULL, TOPOLOGY},
	{"sparse", optional_argument, NULL, SPARSE},
	{"seed", required_argument, NULL, SEED},
	{"bandwidth", optional_argument, NULL, BANDWIDTH},
	{"streams", required_argument, NULL, STREAMS},
	{"flow-time", required_argument, NULL, FLOW_TIME},
	{"flow-bytes", required_argument, NULL, FLOW_BYTES},
	{"dry-run", no_argument, NULL, DRY_RUN},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* What a value's parser said. */
static int told(int failed, const struct pl_err *err)
{
	return failed ? pl_tool_usage(tool, "%s", err->text) : PL_EXIT_DONE;
}

/* A number in [0, max] of units of @unit_ns. */
static int parse_span(const char *name, const char *s, double max,
		      int64_t unit_ns, int64_t *out)
{
	struct pl_err err = {0};

	return told(probe_value_span(name, s, max, unit_ns, out, &err), &err);
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
	struct pl_err err = {0};

	return told(probe_value_percent(name, s, out, &err), &err);
}

static int parse_count(const char *name, const char *s, int64_t min,
		       int64_t max, int64_t *out)
{
	struct pl_err err = {0};

	return told(probe_value_count(name, s, min, max, out, &err), &err);
}

static int parse_fanout(const char *s, size_t *out)
{
	int64_t value;
	const int status =
		parse_count("fanout", s, 1, PL_MATRIX_HOSTS_MAX, &value);

	if (status == PL_EXIT_DONE)
		*out = (size_t)value;
	return status;
}

static int parse_tree(const char *s, size_t *out)
{
	int64_t value = PL_PROBE_TREE_EVEN;
	const int status =
		s ? parse_count("tree", s, 2, PL_RELAY_HOSTS_MAX, &value)
		  : PL_EXIT_DONE;

	if (status == PL_EXIT_DONE)
		*out = (size_t)value;
	return status;
}

static int parse_budget(const char *s, struct pl_probe_options *o)
{
	struct pl_err err = {0};

	return told(probe_value_budget(s, o, &err), &err);
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
	struct pl_err err = {0};

	return told(probe_value_probes(s, o, &err), &err);
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

static int parse_method(const char *s, enum pl_probe_method *method)
{
	if (!strcmp(s, "udp"))
		*method = PL_PROBE_UDP;
	else if (!strcmp(s, "fping"))
		*method = PL_PROBE_FPING;
	else if (!strcmp(s, "passive"))
		return pl_tool_usage(tool, "captures of a running job are "
					   "read by plink-audit --rtt");
	else if (!strcmp(s, "mpi"))
		return pl_tool_usage(tool, "within an MPI job plink-probe-mpi "
					   "measures");
	else
		return pl_tool_usage(tool,
				     "--method is udp or fping, not \"%s\"", s);
	return PL_EXIT_DONE;
}

/* Words with commas between them; none: few flows. */
static int parse_bandwidth(const char *s, unsigned *out)
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
	const char *const whole = s;

	*out = s ? 0 : PL_BANDWIDTH_FEW;
	while (s) {
		const size_t len = strcspn(s, ",");
		size_t k = 0;

		while (k < sizeof(known) / sizeof(*known) &&
		       (strlen(known[k].word) != len ||
			strncmp(s, known[k].word, len) != 0))
			k++;
		if (k == sizeof(known) / sizeof(*known))
			return pl_tool_usage(tool,
					     "--bandwidth is few, alone, "
					     "together or alone,together, "
					     "not \"%s\"",
					     whole);
		*out |= known[k].ways;
		s = s[len] ? s + len + 1 : NULL;
	}
	return PL_EXIT_DONE;
}

static int parse_bytes(const char *s, uint64_t *out)
{
	uint64_t bytes;

	if (pl_size_parse(s, strlen(s), &bytes) || bytes < 1 ||
	    bytes > (uint64_t)PL_FLOW_BYTES_LIMIT)
		return pl_tool_usage(tool,
				     "--flow-bytes wants a number of bytes, "
				     "as in 64M, not \"%s\"",
				     s);
	*out = bytes;
	return PL_EXIT_DONE;
}

/* How TCP is measured. */
static int take_flows(struct pl_probe_options *o, int opt, const char *arg)
{
	int64_t value;
	int status;

	switch (opt) {
	case BANDWIDTH:
		return parse_bandwidth(arg, &o->bandwidth);
	case FLOW_TIME:
		return parse_time("flow-time", arg, &o->flow_ns);
	case FLOW_BYTES:
		return parse_bytes(arg, &o->flow_bytes);
	case STREAMS:
		status = parse_count("streams", arg, 1, PL_STREAMS_MAX, &value);
		if (status == PL_EXIT_DONE)
			o->streams = (unsigned)value;
		return status;
	}
	return pl_tool_usage(tool, "unknown option");
}

/* How much is measured. */
static int take_extent(struct pl_probe_options *o, int opt, const char *arg)
{
	int64_t value;
	int status;

	switch (opt) {
	case INSECURE:
		o->insecure_4byte = 1;
		return PL_EXIT_DONE;
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
	return take_flows(o, opt, arg);
}

/* Options of the measurement. */
static int take_probe(struct pl_probe_options *o, int opt, char *arg)
{
	switch (opt) {
	case METHOD:
		return parse_method(arg, &o->method);
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
	case FANOUT:
		return parse_fanout(arg, &o->fanout);
	case TREE:
		return parse_tree(arg, &o->tree);
	}
	return take_extent(o, opt, arg);
}

_Static_assert(sizeof(longs) / sizeof(longs[0]) <= PROBE_ASKED_MAX,
	       "room for every option");

/* Remembers an option; of one that comes again, the last. */
static void remember(struct probe_args *args, int opt, const char *value)
{
	for (size_t i = 0; longs[i].name; i++)
		if (longs[i].val == opt)
			probe_asked_set(args, longs[i].name, value);
}

static int take_calibrate(struct probe_args *args, const char *arg)
{
	int64_t n = CALIBRATE_HOSTS;
	int status = PL_EXIT_DONE;

	if (arg)
		status = parse_count("calibrate", arg, 2, PL_MATRIX_HOSTS_MAX,
				     &n);
	args->calibrate = (size_t)n;
	return status;
}

/* Options of the choice of pairs. */
static int take_choice(struct probe_args *args, int opt, char *arg)
{
	int64_t value;
	int status;

	if (opt == TOPOLOGY) {
		args->topology = arg;
		return PL_EXIT_DONE;
	}
	if (opt == SPARSE && !arg) {
		args->per_host = PROBE_PER_HOST;
		return PL_EXIT_DONE;
	}
	if (opt == SPARSE) {
		status = parse_count("sparse", arg, PL_SPARSE_LEAST,
				     PL_MATRIX_HOSTS_MAX, &value);
		args->per_host = status == PL_EXIT_DONE ? (size_t)value : 0;
		return status;
	}
	status = parse_count("seed", arg, 0, INT64_MAX, &value);
	args->seed = status == PL_EXIT_DONE ? (uint64_t)value : 0;
	return status;
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
	if (opt == CALIBRATE) {
		status = take_calibrate(args, arg);
	} else if (opt == PUSH) {
		args->push = true;
		args->probe.push = arg;
		status = PL_EXIT_DONE;
	} else if (opt == TOPOLOGY || opt == SPARSE || opt == SEED) {
		status = take_choice(args, opt, arg);
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

	*args = (struct probe_args){.form = PL_HOSTS_LIST, .seed = 1};
	pl_probe_defaults(&args->probe);
	args->probe.agent = NULL;
	while (status == PL_EXIT_DONE && !args->done &&
	       (opt = getopt_long(argc, argv, "o:v", longs, NULL)) != -1)
		status = take(args, opt, optarg);
	if (status != PL_EXIT_DONE || args->done)
		return status;
	status = probe_args_check(args);
	if (status != PL_EXIT_DONE)
		return status;
	if (argc - optind != 1)
		return pl_tool_usage(
			tool, argc == optind
				      ? "a host list is missing"
				      : "exactly one host list is needed");
	args->hosts = argv[optind];
	if (pl_hosts_are_slurms(args->hosts) && args->form == PL_HOSTS_SEQ)
		return pl_tool_usage(tool,
				     "--hosts-format=seq is for files: slurm "
				     "lists each host of the job once");
	return pl_tool_spares(tool, args->output, args->hosts);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-doctor */
#include "config.h"

#include "src/doctor/options.h"

#include "base/matrix/matrix.h"
#include "base/text/number.h"
#include "probes/launch/launch.h"
#include "probes/protocol/ports.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <string.h>

#define S_NS INT64_C(1000000000)
#define LIMIT_NS (30 * S_NS)
#define TIME_MAX_S 1e8

enum {
	LAUNCH = 256,
	AGENT,
	PUSH,
	IFACE,
	PORTS,
	FANOUT,
	HOSTS_FORMAT,
	TIME,
	JSON,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"launch", required_argument, NULL, LAUNCH},
	{"agent", required_argument, NULL, AGENT},
	{"push", optional_argument, NULL, PUSH},
	{"iface", required_argument, NULL, IFACE},
	{"ports", required_argument, NULL, PORTS},
	{"fanout", required_argument, NULL, FANOUT},
	{"hosts-format", required_argument, NULL, HOSTS_FORMAT},
	{"time", required_argument, NULL, TIME},
	{"json", no_argument, NULL, JSON},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"Usage: plink-doctor [OPTION]... HOSTS|-|slurm\n"
	"Checks on every host what plink needs there: a shell, plink and MPI\n"
	"of one version, the preload library, clocks, and UDP between hosts.\n"
	"\n"
	"      --launch=TEMPLATE    command that starts another one on host "
	"%h\n"
	"                           (ssh)\n"
	"      --agent=COMMAND      command that starts plink-agent there\n"
	"      --push[=FILE]        send the agent to the hosts\n"
	"      --iface=NAME|CIDR    network of the UDP test\n"
	"      --ports=LO-HI        UDP ports of the agents (any)\n"
	"      --fanout=N           hosts asked at once (64)\n"
	"      --hosts-format=FORM  list (default) or seq: one line per rank\n"
	"      --time=SECONDS       limit for each host (30)\n"
	"      --json               write JSON, not a table\n"
	"  -o, --output=FILE        (standard output)\n"
	"  -v, --verbose            show what launchers and hosts print\n"
	"      --help, --version\n"
	"\n"
	"Exit: 0 all hosts are ready, 1 something is wrong, 2 usage, 3 bad "
	"input,\n"
	"4 system.\n";

static int take_time(const char *s, int64_t *limit_ns)
{
	double seconds;

	if (pl_double_parse(s, strlen(s), &seconds) ||
	    !(seconds > 0 && seconds <= TIME_MAX_S))
		return pl_tool_usage(
			PL_DOCTOR_TOOL,
			"--time=%s: not a number above 0, up to %g", s,
			TIME_MAX_S);
	*limit_ns = 1 + (int64_t)(seconds * (double)S_NS);
	return PL_EXIT_DONE;
}

static int take_form(const char *s, enum pl_hosts_form *form)
{
	if (!strcmp(s, "list"))
		*form = PL_HOSTS_LIST;
	else if (!strcmp(s, "seq"))
		*form = PL_HOSTS_SEQ;
	else
		return pl_tool_usage(PL_DOCTOR_TOOL,
				     "--hosts-format=%s: not list or seq", s);
	return PL_EXIT_DONE;
}

static int take_fanout(const char *s, size_t *fanout)
{
	uint64_t n;
	const int status = pl_tool_take_whole(PL_DOCTOR_TOOL, longs, FANOUT, s,
					      1, PL_MATRIX_HOSTS_MAX, &n);

	if (status == PL_EXIT_DONE)
		*fanout = (size_t)n;
	return status;
}

static int take(struct pl_doctor_options *o, int id, const char *value)
{
	if (value && !*value)
		return pl_tool_usage(PL_DOCTOR_TOOL, "--%s is empty",
				     pl_tool_option(longs, id));
	switch (id) {
	case LAUNCH:
		o->probe.launch = pl_launch_template(value);
		return PL_EXIT_DONE;
	case AGENT:
		o->probe.agent = value;
		return PL_EXIT_DONE;
	case PUSH:
		o->push = true;
		o->probe.push = value;
		return PL_EXIT_DONE;
	case IFACE:
		o->probe.iface = value;
		return PL_EXIT_DONE;
	case PORTS:
		if (pl_ports_parse(value, &o->probe.port_min,
				   &o->probe.port_max) == 0)
			return PL_EXIT_DONE;
		return pl_tool_usage(PL_DOCTOR_TOOL, "--ports=%s: not LO-HI",
				     value);
	case FANOUT:
		return take_fanout(value, &o->probe.fanout);
	case HOSTS_FORMAT:
		return take_form(value, &o->form);
	case TIME:
		return take_time(value, &o->limit_ns);
	case JSON:
		o->json = true;
		return PL_EXIT_DONE;
	case 'o':
		o->output = value;
		return PL_EXIT_DONE;
	default:
		o->verbose = true;
		return PL_EXIT_DONE;
	}
}

static int refuse(const char *option)
{
	return pl_tool_usage(PL_DOCTOR_TOOL,
			     "%s: no such option, or its value is missing",
			     option);
}

static int check(const struct pl_doctor_options *o, int argc, char **argv)
{
	if (argc - optind > 1)
		return pl_tool_usage(PL_DOCTOR_TOOL,
				     "more than one host list: %s",
				     argv[optind + 1]);
	if (argc == optind)
		return pl_tool_usage(PL_DOCTOR_TOOL, "no host list");
	if (o->push && o->probe.agent)
		return pl_tool_usage(PL_DOCTOR_TOOL,
				     "--push and --agent exclude each other");
	return PL_EXIT_DONE;
}

bool pl_doctor_options_parse(struct pl_doctor_options *o, int argc, char **argv,
			     int *status)
{
	int id;

	*o = (struct pl_doctor_options){.form = PL_HOSTS_LIST,
					.limit_ns = LIMIT_NS};
	opterr = 0;
	pl_probe_defaults(&o->probe);
	o->probe.agent = NULL; /* chosen where none is named */
	while ((id = getopt_long(argc, argv, "o:v", longs, NULL)) != -1) {
		if (id == SHOW_HELP || id == SHOW_VERSION) {
			*status = id == SHOW_HELP
					  ? pl_tool_help(PL_DOCTOR_TOOL, help)
					  : pl_tool_version(PL_DOCTOR_TOOL);
			return false;
		}
		*status = id == '?' ? refuse(argv[optind - 1])
				    : take(o, id, optarg);
		if (*status != PL_EXIT_DONE)
			return false;
	}
	*status = check(o, argc, argv);
	if (*status != PL_EXIT_DONE)
		return false;
	o->hosts = argv[optind];
	*status = pl_tool_spares(PL_DOCTOR_TOOL, o->output, o->hosts);
	return *status == PL_EXIT_DONE;
}

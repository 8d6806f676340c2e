/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-doctor */
#include "config.h"

#include "src/doctor/options.h"

#include "base/matrix/matrix.h"
#include "src/common/options.h"
#include "src/common/probing.h"
#include "src/common/tool.h"

#define S_NS INT64_C(1000000000)
#define LIMIT_NS (30 * S_NS)
#define TIME_MAX_S 1e8

/* clang-format off */
static const char help[] =
"Usage: plink-doctor [OPTION]... HOSTS|-|slurm\n"
"Checks on every host what plink needs there: a shell, plink and MPI\n"
"of one version, the preload library, clocks; UDP and TCP between hosts.\n"
"\n"
"      --launch=TEMPLATE    command that starts another one on host %h\n"
"                           (ssh)\n"
"      --agent=COMMAND      command that starts plink-agent there\n"
"      --push[=FILE]        send the agent to the hosts\n"
"      --iface=NAME|CIDR    network of these two tests\n"
"      --ports=LO-HI        UDP and TCP ports of the agents (any)\n"
"      --fanout=N           hosts asked at once (64)\n"
"      --hosts-format=FORM  list (default) or seq: one line per rank\n"
"      --host-time=TIME     limit for each host (30s)\n"
"      --json               write JSON, not a table\n"
"  -o, --output=FILE        (standard output)\n"
"  -q, --quiet              say only what is wrong\n"
"  -v, --verbose            show what launchers and hosts print\n"
"  -h, --help               this text\n"
"  -V, --version            version of plink\n"
"\n"
"Exit: 0 all hosts are ready, 1 something is wrong, 2 usage, 3 bad input,\n"
"4 system.\n";
/* clang-format on */

static const char *const forms[] = {"list", "seq", NULL}; /* as the enum */

#define AT(member) PL_OPTION_AT(struct pl_doctor_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"launch", required_argument, 0, pl_take_launch, AT(probe.launch)},
	{"agent", required_argument, 0, pl_take_text, AT(probe.agent)},
	{"push", optional_argument, 0, pl_take_text, AT(probe.push),
	 .also = offsetof(struct pl_doctor_options, push)},
	{"iface", required_argument, 0, pl_take_text, AT(probe.iface)},
	{"ports", required_argument, 0, pl_take_ports, AT(probe.ports)},
	{"fanout", required_argument, 0, pl_take_whole, AT(probe.fanout),
	 1, PL_MATRIX_HOSTS_MAX},
	{"hosts-format", required_argument, 0, pl_take_word, AT(form),
	 .words = forms},
	{"host-time", required_argument, 0, pl_take_time, AT(limit_ns),
	 .least = 1e-9, .most = TIME_MAX_S},
	/* the old name */
	{.name = "time", .has_arg = required_argument, .take = pl_take_time,
	 AT(limit_ns), .least = 1e-9, .most = TIME_MAX_S},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int check(const struct pl_doctor_options *o, int argc, char **argv)
{
	if (argc - optind > 1)
		return pl_tool_usage(PL_DOCTOR_TOOL, "more than one host list: %s",
				     argv[optind + 1]);
	if (argc == optind)
		return pl_tool_usage(PL_DOCTOR_TOOL, "no host list");
	if (o->push && o->probe.agent)
		return pl_tool_usage(PL_DOCTOR_TOOL, "--push and --agent exclude each other");
	return PL_EXIT_DONE;
}

int pl_doctor_options_parse(struct pl_doctor_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = PL_DOCTOR_TOOL,
		.option = table,
		.help = help,
		.verbose = offsetof(struct pl_doctor_options, verbose),
		.filled = true};
	int status;

	*o = (struct pl_doctor_options){.form = PL_HOSTS_LIST, .limit_ns = LIMIT_NS};
	pl_probe_defaults(&o->probe);
	o->probe.agent = NULL; /* the default */
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->hosts = argv[optind];
	status = check(o, argc, argv);
	if (status != PL_EXIT_DONE)
		return status;
	return pl_tool_spares(PL_DOCTOR_TOOL, o->output, o->hosts);
}

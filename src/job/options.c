/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-job */
#include "config.h"

#include "src/job/job.h"

#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/common/verbs.h"

#include <string.h>

/* clang-format off */
static const char help[] =
"Usage: plink-job layout SIZES CALL...        as in tp=8,dp=16,pp=4\n"
"       plink-job layout --mesh=DIMS CALL...  as in dp=4,shard=8\n"
"       plink-job import [OPTION]... FILE...\n"
"       plink-job show FILE|-\n"
"Writes a job file for plink-order --job: the communicators of a job and their\n"
"calls in one step (plink-job(5)).\n"
"\n"
"layout: from the layout of the ranks in a framework. SIZES are Megatron's tp,\n"
"cp, ep, dp, pp, etp and vpp. CALL is NAME:COLLECTIVE:BYTES[:key=value]..., NAME\n"
"a dimension or several, as in dp+cp:allreduce:1GiB:calls=2\n"
"import: from traces of PyTorch's profiler, its execution traces, dumps of its\n"
"Flight Recorder, groups of NCCL's RAS, Open MPI's monitoring, statistics\n"
"(plink-stats(5)) or plink-audit --json; best of all ranks\n"
"show: the communicators of a job file, as a table\n"
"\n"
"  --mesh=DIMS          a DeviceMesh: the last dimension varies fastest\n"
"  --layout=SIZES       with import, as --mesh: add the groups of ranks that are\n"
"                       in no file\n"
"  --order=ORDER        of SIZES, the first varies fastest (tp-cp-ep-dp-pp)\n"
"  --steps=N            each file of an import covers N steps\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

#define AT(member) PL_OPTION_AT(struct job_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"layout", required_argument, 0, pl_take_filled, AT(layout)},
	{"mesh", required_argument, 0, pl_take_filled, AT(mesh)},
	{"order", required_argument, 0, pl_take_filled, AT(order)},
	{"steps", required_argument, 0, pl_take_number, AT(n_steps),
	 .least = 1, .most = 1e9, .whole = true},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

/* The verb of that name, or -1. */
static int find_verb(const char *word)
{
	static const char *const verbs[] = {"layout", "import", "show"};

	for (int i = 0; i < 3; i++)
		if (word && strcmp(word, verbs[i]) == 0)
			return i;
	return -1;
}

static int check_layout(struct job_options *o)
{
	if (o->layout || o->n_steps > 0)
		return pl_tool_usage(JOB_TOOL, "layout takes no --%s",
				     o->layout ? "layout" : "steps");
	if (!o->mesh && o->n_arguments > 0) {
		o->layout = *o->argument++;
		o->n_arguments--;
	}
	if (!o->mesh && !o->layout)
		return pl_tool_usage(JOB_TOOL,
				     "layout needs sizes, as in tp=8,dp=16,pp=4, or --mesh");
	if (o->n_arguments == 0)
		return pl_tool_usage(JOB_TOOL, "layout needs a call, as in dp:allreduce:1GiB");
	return PL_EXIT_DONE;
}

static int check_files(const struct job_options *o)
{
	if (o->verb == JOB_SHOW && (o->layout || o->mesh || o->n_steps > 0))
		return pl_tool_usage(JOB_TOOL, "show takes none of --layout, --mesh and --steps");
	if (o->verb == JOB_SHOW && o->n_arguments != 1)
		return pl_tool_usage(JOB_TOOL, "show takes one file");
	if (o->n_arguments == 0)
		return pl_tool_usage(JOB_TOOL, "import needs a file");
	for (size_t i = 0; i < o->n_arguments; i++)
		if (pl_tool_spares(JOB_TOOL, o->output, o->argument[i]))
			return PL_EXIT_USAGE;
	return PL_EXIT_DONE;
}

static int check(struct job_options *o)
{
	const int status = o->verb == JOB_LAYOUT ? check_layout(o) : check_files(o);

	if (status != PL_EXIT_DONE)
		return status;
	if (o->mesh && o->layout)
		return pl_tool_usage(JOB_TOOL, "--mesh and --layout cannot be combined");
	if (o->order && !o->layout)
		return pl_tool_usage(JOB_TOOL, "--order needs sizes, as in tp=8,dp=16,pp=4");
	return PL_EXIT_DONE;
}

int job_options_parse(struct job_options *o, int argc, char **argv)
{
	static const struct pl_options options = {.tool = JOB_TOOL, .option = table, .help = help};
	const int verb = find_verb(argv[1]);
	int status;

	*o = (struct job_options){0};
	if (verb >= 0) {
		o->verb = (enum job_verb)verb;
		argv = pl_verb_skip(argv);
		argc--;
	}
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (verb < 0)
		return pl_tool_usage(JOB_TOOL, "layout, import or show is wanted first, not \"%s\"",
				     argc > 1 ? argv[1] : "");
	o->argument = argv + optind;
	o->n_arguments = (size_t)(argc - optind);
	return check(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-exec */
#include "config.h"

#include "src/exec/options.h"

#include "src/common/starter.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <string.h>

static const char tool[] = PL_EXEC_TOOL;

static const char help[] =
	"usage: plink-exec [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	"Changes the ranks in the environment to those of a plan, and runs "
	"COMMAND.\n"
	"Start it on every host, by the launcher that numbers the processes.\n"
	"\n"
	"  -p, --plan=PLAN    the plan (default: PLINK_PLAN)\n"
	"  -s, --style=STYLE  which numbers to change: env (RANK, WORLD_SIZE), "
	"slurm,\n"
	"                     openmpi, deepspeed, nccl (with NCCL_COMM_ID);\n"
	"                     torchrun or lightgbm (which is then COMMAND); "
	"or\n"
	"                     auto (default): all that are there\n"
	"      --print        show what would change, and run nothing\n"
	"  -v, --verbose      show what changes\n"
	"      --help         this text\n"
	"      --version      version of plink\n";

enum { PRINT = 256, SHOW_HELP, SHOW_VERSION };

static const struct option longs[] = {
	{"plan", required_argument, NULL, 'p'},
	{"style", required_argument, NULL, 's'},
	{"print", no_argument, NULL, PRINT},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

static int take_style(struct pl_exec_options *o, const char *s)
{
	static const char *const name[] = {
		[PL_EXEC_AUTO] = "auto",
		[PL_EXEC_ENV] = "env",
		[PL_EXEC_SLURM] = "slurm",
		[PL_EXEC_OPENMPI] = "openmpi",
		[PL_EXEC_DEEPSPEED] = "deepspeed",
		[PL_EXEC_NCCL] = "nccl",
		[PL_EXEC_TORCHRUN] = "torchrun",
		[PL_EXEC_LIGHTGBM] = "lightgbm",
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (strcmp(s, name[i]) == 0) {
			o->style = (enum pl_exec_style)i;
			return 0;
		}
	return pl_tool_usage(tool, "no style \"%s\"", s);
}

static int take(struct pl_exec_options *o, int opt, const char *arg)
{
	switch (opt) {
	case 'p':
		o->plan = arg;
		return 0;
	case 's':
		return take_style(o, arg);
	case 'v':
		o->verbose = true;
		return 0;
	case PRINT:
		o->print = true;
		return 0;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(tool, help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(tool);
	}
	return pl_tool_usage(tool, "unknown option");
}

static int check(struct pl_exec_options *o)
{
	if (pl_starter_plan(tool, &o->plan))
		return PL_STARTER_FAILED;
	if (!o->command[0])
		return pl_tool_usage(tool, "a command is missing");
	return 0;
}

int pl_exec_options_parse(struct pl_exec_options *o, int argc, char **argv)
{
	int opt, status = 0;

	*o = (struct pl_exec_options){.style = PL_EXEC_AUTO};
	/* the first word that is no option is the command */
	while (status == 0 && !o->done &&
	       (opt = getopt_long(argc, argv, "+p:s:v", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	o->command = argv + optind;
	if (status == 0 && !o->done)
		status = check(o);
	return status ? PL_STARTER_FAILED : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-exec */
#include "config.h"

#include "src/exec/options.h"

#include "src/common/options.h"
#include "src/common/starter.h"
#include "src/common/tool.h"

static const char tool[] = PL_EXEC_TOOL;

/* clang-format off */
static const char help[] =
"usage: plink-exec [OPTION]... [--] COMMAND [ARGUMENT]...\n"
"Changes the ranks in the environment to those of a plan, and runs COMMAND.\n"
"Start it on every host, by the launcher that numbers the processes.\n"
"\n"
"  -p, --plan=PLAN    the plan (default: PLINK_PLAN)\n"
"      --hosts=LIST   the hosts of the job, if the plan has more\n"
"  -s, --style=STYLE  which numbers to change: env (RANK, WORLD_SIZE), slurm,\n"
"                     openmpi, deepspeed, nccl (with NCCL_COMM_ID), xgboost\n"
"                     (DMLC_TASK_ID);\n"
"                     torchrun or lightgbm (which is then COMMAND); or\n"
"                     auto (default): all that are there\n"
"      --dry-run      show what would change, and run nothing\n"
"  -q, --quiet        say only what is wrong\n"
"  -v, --verbose      show what changes\n"
"  -h, --help         this text\n"
"  -V, --version      version of plink\n";
/* clang-format on */

static const char *const styles[] = {
	[PL_EXEC_AUTO] = "auto",           [PL_EXEC_ENV] = "env",
	[PL_EXEC_SLURM] = "slurm",         [PL_EXEC_OPENMPI] = "openmpi",
	[PL_EXEC_DEEPSPEED] = "deepspeed", [PL_EXEC_NCCL] = "nccl",
	[PL_EXEC_TORCHRUN] = "torchrun",   [PL_EXEC_LIGHTGBM] = "lightgbm",
	[PL_EXEC_XGBOOST] = "xgboost",     NULL,
};

#define AT(member) PL_OPTION_AT(struct pl_exec_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"plan", required_argument, 'p', pl_take_text, AT(plan)},
	{"hosts", required_argument, 0, pl_take_filled, AT(hosts)},
	{"style", required_argument, 's', pl_take_word, AT(style),
	 .words = styles},
	{"dry-run", no_argument, 0, pl_take_flag, AT(print)},
	{0},
};
/* clang-format on */

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
	/* the first word that is no option is the command */
	static const struct pl_options options = {.tool = tool,
						  .option = table,
						  .help = help,
						  .verbose =
							  offsetof(struct pl_exec_options, verbose),
						  .in_order = true};
	int status;

	*o = (struct pl_exec_options){.style = PL_EXEC_AUTO};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	o->command = argv + optind;
	if (status == 0 && !o->done)
		status = check(o);
	return status ? PL_STARTER_FAILED : 0;
}

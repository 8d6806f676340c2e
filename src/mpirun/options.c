/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-mpirun */
#include "config.h"

#include "src/mpirun/options.h"

#include "base/text/path.h"
#include "src/common/options.h"
#include "src/common/starter.h"
#include "src/common/tool.h"

#include <stdlib.h>
#include <string.h>

static const char tool[] = PL_MPIRUN_TOOL;

/* clang-format off */
static const char help[] =
"usage: plink-mpirun [OPTION]... --plan=PLAN [--] MPIRUN-WORD...\n"
"Runs an MPI program by mpirun with ranks that follow a plan: MPIRUN-WORD...\n"
"are the words for mpirun: its options, the program and its arguments.\n"
"All hosts are checked first.\n"
"\n"
"  -p, --plan=PLAN       the plan (default: PLINK_PLAN)\n"
"      --mode=MODE       world (default): the program sees other ranks;\n"
"                        shadow: its collectives take another order\n"
"      --strict          end a job that cannot follow the plan\n"
"      --stats=FILE      count the collectives in FILE\n"
"      --no-check        run without the check\n"
"      --check-only      check, show the ranks and run nothing\n"
"      --dry-run         print mpirun's command line and run nothing\n"
"      --library=FILE    library to preload (default: libplink-mpi.so)\n"
"      --mpirun=COMMAND  command to run (default: mpirun)\n"
"  -q, --quiet           say only what is wrong\n"
"  -v, --verbose         report the results of the check and the ranks\n"
"  -h, --help            this text\n"
"  -V, --version         version of plink\n";
/* clang-format on */

static const char *const modes[] = {
	[PL_MPIRUN_WORLD] = "world", [PL_MPIRUN_SHADOW] = "shadow", NULL};

#define AT(member) PL_OPTION_AT(struct pl_mpirun_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"plan", required_argument, 'p', pl_take_text, AT(plan)},
	{"mode", required_argument, 0, pl_take_word, AT(mode), .words = modes,
	 .also = offsetof(struct pl_mpirun_options, has_mode)},
	{"strict", no_argument, 0, pl_take_flag, AT(strict)},
	{"stats", required_argument, 0, pl_take_text, AT(stats)},
	{"no-check", no_argument, 0, pl_take_constant, AT(check), false},
	{"check-only", no_argument, 0, pl_take_constant, AT(run), false},
	{"dry-run", no_argument, 0, pl_take_flag, AT(print)},
	{"library", required_argument, 0, pl_take_text, AT(library)},
	{"mpirun", required_argument, 0, pl_take_text, AT(mpirun)},
	{0},
};
/* clang-format on */

/* How many words the option at @word takes up with its argument; 0: it is not an option of
 * plink-mpirun, and is left to mpirun. */
static int own_words(const char *word)
{
	const size_t len = strcspn(word, "=");
	const struct pl_option *o;

	if (word[0] == '-' && word[1] && strchr("hqvV", word[1]) && !word[2])
		return 1;
	if (strcmp(word, "-p") == 0) /* -pernode is an option of mpirun */
		return 2;
	if (strncmp(word, "--", 2) != 0)
		return 0;
	o = pl_option_named(table, word + 2, len - 2);
	if (!o)
		return pl_option_removed(tool, word + 2, len - 2) ? 1 : 0; /* to be refused */
	return o->has_arg && !word[len] ? 2 : 1;
}

/* The index of the first word for mpirun. */
static int find_end(int argc, char **argv)
{
	int at = 1, n;

	while (at < argc && (n = own_words(argv[at])) > 0)
		at += n;
	return at < argc ? at : argc;
}

static int fail(int status)
{
	return status ? PL_STARTER_FAILED : 0;
}

/* Takes the mode from the environment if no option has set it. */
static void take_environment(struct pl_mpirun_options *o)
{
	const char *mode = getenv("PLINK_MPI_MODE");

	if (o->has_mode || !mode)
		return;
	if (strcmp(mode, "off") == 0)
		o->mode = PL_MPIRUN_OFF;
	else if (strcmp(mode, "shadow") == 0)
		o->mode = PL_MPIRUN_SHADOW;
}

static int check(struct pl_mpirun_options *o)
{
	if (pl_starter_plan(tool, &o->plan))
		return PL_STARTER_FAILED;
	if (!o->check && !o->run)
		return pl_tool_usage(tool, "--no-check and --check-only leave nothing to do");
	if (o->stats && (!*o->stats || strcmp(o->stats, "-") == 0))
		return pl_tool_usage(
			tool, "--stats must name a file: the program writes standard output");
	if (pl_same_file(o->stats, o->plan))
		return pl_tool_usage(tool, "--stats would replace the plan");
	if (!o->words[0])
		return pl_tool_usage(tool, "the program for mpirun is missing");
	return 0;
}

int pl_mpirun_options_parse(struct pl_mpirun_options *o, int argc, char **argv)
{
	const int end = find_end(argc, argv);
	static const struct pl_options options = {
		.tool = tool,
		.option = table,
		.help = help,
		.verbose = offsetof(struct pl_mpirun_options, verbose),
		.in_order = true};
	int status;

	*o = (struct pl_mpirun_options){.mpirun = "mpirun", .check = true, .run = true};
	status = pl_options_parse(&options, end, argv, o, &o->done);
	if (status || o->done)
		return fail(status);
	o->words = argv + end;
	if (o->words[0] && strcmp(o->words[0], "--") == 0)
		o->words++;
	take_environment(o);
	return fail(check(o));
}

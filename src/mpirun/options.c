/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-mpirun */
#include "config.h"

#include "src/mpirun/options.h"

#include "src/common/starter.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char tool[] = PL_MPIRUN_TOOL;

static const char help[] =
	"usage: plink-mpirun [OPTION]... --plan=PLAN [--] MPIRUN-WORD...\n"
	"Runs an MPI program by mpirun with ranks that follow a plan: "
	"MPIRUN-WORD...\n"
	"are the words for mpirun: its options, the program and its "
	"arguments.\n"
	"All hosts are checked first.\n"
	"\n"
	"  -p, --plan=PLAN       the plan (default: PLINK_PLAN)\n"
	"      --mode=MODE       world (default): the program sees other "
	"ranks;\n"
	"                        shadow: its collectives take another order\n"
	"      --strict          end a job that cannot follow the plan\n"
	"      --stats=FILE      count the collectives in FILE\n"
	"      --no-check        run without the check\n"
	"      --check-only      check, show the ranks and run nothing\n"
	"      --print           print mpirun's command line and run nothing\n"
	"      --library=FILE    library to preload (default: "
	"libplink-mpi.so)\n"
	"      --mpirun=COMMAND  command to run (default: mpirun)\n"
	"  -v, --verbose         report the results of the check and the "
	"ranks\n"
	"      --help            this text\n"
	"      --version         version of plink\n";

enum {
	MODE = 256,
	STRICT,
	STATS,
	NO_CHECK,
	CHECK_ONLY,
	PRINT,
	LIBRARY,
	MPIRUN,
	SHOW_HELP,
	SHOW_VERSION
};

static const char shorts[] = "+p:v";
static const struct option longs[] = {
	{"plan", required_argument, NULL, 'p'},
	{"mode", required_argument, NULL, MODE},
	{"strict", no_argument, NULL, STRICT},
	{"stats", required_argument, NULL, STATS},
	{"no-check", no_argument, NULL, NO_CHECK},
	{"check-only", no_argument, NULL, CHECK_ONLY},
	{"print", no_argument, NULL, PRINT},
	{"library", required_argument, NULL, LIBRARY},
	{"mpirun", required_argument, NULL, MPIRUN},
	{"verbose", no_argument, NULL, 'v'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* How many words the option at @word takes up with its argument; 0: it is none
 * of ours, and so mpirun's. */
static int own_words(const char *word)
{
	const size_t len = strcspn(word, "=");

	if (strcmp(word, "-v") == 0)
		return 1;
	if (strcmp(word, "-p") == 0) /* -pernode is mpirun's */
		return 2;
	if (strncmp(word, "--", 2) != 0)
		return 0;
	for (const struct option *o = longs; o->name; o++)
		if (strlen(o->name) + 2 == len &&
		    memcmp(o->name, word + 2, len - 2) == 0)
			return o->has_arg && !word[len] ? 2 : 1;
	return 0;
}

/* Where the words for mpirun begin. */
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

static int take_mode(struct pl_mpirun_options *o, const char *s)
{
	o->has_mode = true;
	if (strcmp(s, "world") == 0)
		o->mode = PL_MPIRUN_WORLD;
	else if (strcmp(s, "shadow") == 0)
		o->mode = PL_MPIRUN_SHADOW;
	else
		return pl_tool_usage(
			tool, "--mode is world or shadow, not \"%s\"", s);
	return 0;
}

static int take(struct pl_mpirun_options *o, int opt, const char *arg)
{
	switch (opt) {
	case 'p':
		o->plan = arg;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case MODE:
		return take_mode(o, arg);
	case STRICT:
		o->strict = true;
		return 0;
	case STATS:
		o->stats = arg;
		return 0;
	case NO_CHECK:
		o->check = false;
		return 0;
	case CHECK_ONLY:
		o->run = false;
		return 0;
	case PRINT:
		o->print = true;
		return 0;
	case LIBRARY:
		o->library = arg;
		return 0;
	case MPIRUN:
		o->mpirun = arg;
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

/* What the environment says where no option does. */
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
		return pl_tool_usage(
			tool,
			"--no-check and --check-only leave nothing to do");
	if (o->stats && (!*o->stats || strcmp(o->stats, "-") == 0))
		return pl_tool_usage(tool, "--stats must name a file: the "
					   "program writes standard output");
	if (!o->words[0])
		return pl_tool_usage(tool, "the program for mpirun is missing");
	return 0;
}

int pl_mpirun_options_parse(struct pl_mpirun_options *o, int argc, char **argv)
{
	const int end = find_end(argc, argv);
	int opt, status = 0;

	*o = (struct pl_mpirun_options){
		.mpirun = "mpirun", .check = true, .run = true};
	while (status == 0 && !o->done &&
	       (opt = getopt_long(end, argv, shorts, longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status || o->done)
		return fail(status);
	o->words = argv + end;
	if (o->words[0] && strcmp(o->words[0], "--") == 0)
		o->words++;
	take_environment(o);
	return fail(check(o));
}

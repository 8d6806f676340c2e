/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-report */
#include "config.h"

#include "src/report/options.h"

#include "report/report.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <string.h>

static const char help[] =
	"Usage: plink-report [OPTION]... MATRIX [PLAN]...\n"
	"Shows a matrix, and the orders of plans made from it, as a page, a "
	"picture,\n"
	"or, without --output, as text.\n"
	"\n"
	"  -o, --output=FILE      FILE.html, a page; FILE.svg or FILE.png, "
	"the\n"
	"                         heat maps alone\n"
	"  --symmetrize=HOW       none, max, mean (what the matrix "
	"recommends)\n"
	"  --unit=UNIT            ns, us, ms, s: of a matrix that states none "
	"(ns)\n"
	"  --color=WHEN           auto, always, never: of text (auto)\n"
	"      --help, --version\n"
	"\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

enum { OPT_SYMMETRIZE = 256, OPT_UNIT, OPT_COLOR, OPT_HELP, OPT_VERSION };

static const struct option longs[] = {
	{"output", required_argument, NULL, 'o'},
	{"symmetrize", required_argument, NULL, OPT_SYMMETRIZE},
	{"unit", required_argument, NULL, OPT_UNIT},
	{"color", required_argument, NULL, OPT_COLOR},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{0},
};

static int take(struct report_options *o, int opt, const char *s)
{
	switch (opt) {
	case 'o':
		o->output = s;
		return pl_report_writer(s)
			       ? PL_EXIT_DONE
			       : pl_tool_usage(REPORT_TOOL,
					       "--output: %s ends neither in "
					       ".html nor in .svg or .png",
					       s);
	case OPT_SYMMETRIZE:
		o->has_symmetrize = true;
		return pl_symmetrize_parse(s, strlen(s), &o->symmetrize)
			       ? pl_tool_usage(REPORT_TOOL,
					       "--symmetrize=%s: not one of "
					       "none, max, mean",
					       s)
			       : PL_EXIT_DONE;
	case OPT_UNIT:
		return pl_unit_parse(s, strlen(s), &o->unit) ||
				       pl_unit_ns(o->unit) == 0
			       ? pl_tool_usage(
					 REPORT_TOOL,
					 "--unit=%s: not one of ns, us, ms, s",
					 s)
			       : PL_EXIT_DONE;
	case OPT_COLOR:
		return pl_color_parse(s, &o->color)
			       ? pl_tool_usage(REPORT_TOOL,
					       "--color=%s: not one of auto, "
					       "always, never",
					       s)
			       : PL_EXIT_DONE;
	case OPT_HELP:
		o->done = true;
		return pl_tool_help(REPORT_TOOL, help);
	case OPT_VERSION:
		o->done = true;
		return pl_tool_version(REPORT_TOOL);
	default:
		return pl_tool_usage(REPORT_TOOL,
				     "unknown option, or a value is missing");
	}
}

/* Standard input can be read once. */
static int check(const struct report_options *o)
{
	size_t n_stdin = strcmp(o->matrix, "-") == 0;
	int status = pl_tool_spares(REPORT_TOOL, o->output, o->matrix);

	for (size_t i = 0; i < o->n_plans; i++) {
		n_stdin += strcmp(o->plan[i], "-") == 0;
		if (!status)
			status = pl_tool_spares(REPORT_TOOL, o->output,
						o->plan[i]);
	}
	if (n_stdin > 1)
		return pl_tool_usage(REPORT_TOOL, "only one file can be -");
	return status;
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*o = (struct report_options){.argv = argv, .unit = PL_NS};
	opterr = 0;
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "o:", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (optind == argc)
		return pl_tool_usage(REPORT_TOOL, "a matrix is wanted");
	o->matrix = argv[optind];
	o->plan = argv + optind + 1;
	o->n_plans = (size_t)(argc - optind - 1);
	return check(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-report */
#include "config.h"

#include "src/report/options.h"

#include "report/report.h"
#include "src/common/options.h"
#include "src/common/tool.h"

#include <string.h>

/* clang-format off */
static const char help[] =
"Usage: plink-report [OPTION]... MATRIX [PLAN|SCHEDULE]...\n"
"       plink-report [OPTION]... STATISTICS [PLAN|HOSTS]\n"
"       plink-report [OPTION]... LIVE...\n"
"Shows a matrix, and the orders of plans made from it, as a page, a picture,\n"
"or, without --output, as text; or a job's statistics: its calls, and who\n"
"sends how many bytes to whom; or what its processes wrote while it ran\n"
"(PLINK_LIVE).\n"
"\n"
"  -o, --output=FILE      FILE.html, a page; FILE.svg, the heat maps with\n"
"                         title and times\n"
"  --topology=FILE        racks of the hosts, for statistics\n"
"  --symmetrize=HOW       none, max, mean (what the matrix recommends)\n"
"  --unit=UNIT            ns, us, ms, s: of a matrix that states none (ns)\n"
"  --color=WHEN           auto, always, never: of text (auto)\n"
"  -q, --quiet            say only what is wrong\n"
"  -v, --verbose          say more\n"
"  -h, --help             this text\n"
"  -V, --version          version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

static int take_output(void *o, const struct pl_option *option, const char *value,
		       struct pl_err *err)
{
	return pl_report_check_path("--output", value, err) ? -1
							    : pl_take_text(o, option, value, err);
}

/* Names of enums, in their order. */
static const char *const symmetrizes[] = {"none", "max", "mean", NULL};
static const char *const units[] = {"ns", "us", "ms", "s", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};

#define AT(member) PL_OPTION_AT(struct report_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"output", required_argument, 'o', take_output, AT(output)},
	{"symmetrize", required_argument, 0, pl_take_word, AT(symmetrize),
	 .words = symmetrizes,
	 .also = offsetof(struct report_options, has_symmetrize)},
	{"unit", required_argument, 0, pl_take_word, AT(unit), .words = units,
	 .also = offsetof(struct report_options, has_unit)},
	{"topology", required_argument, 0, pl_take_filled, AT(topology)},
	{"color", required_argument, 0, pl_take_word, AT(color),
	 .words = colors},
	{0},
};
/* clang-format on */

/* Standard input can be read once. */
static int check(const struct report_options *o)
{
	size_t n_stdin = strcmp(o->matrix, "-") == 0;
	int status = pl_tool_spares(REPORT_TOOL, o->output, o->matrix);

	for (size_t i = 0; i < o->n_plans; i++) {
		n_stdin += strcmp(o->plan[i], "-") == 0;
		if (!status)
			status = pl_tool_spares(REPORT_TOOL, o->output, o->plan[i]);
	}
	if (!status)
		status = pl_tool_spares(REPORT_TOOL, o->output, o->topology);
	if (n_stdin > 1)
		return pl_tool_usage(REPORT_TOOL, "only one file can be -");
	return status;
}

int report_options_parse(struct report_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = REPORT_TOOL, .option = table, .help = help};
	int status;

	*o = (struct report_options){.argv = argv, .unit = PL_NS};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (optind == argc)
		return pl_tool_usage(REPORT_TOOL, "a matrix or a statistics file is wanted");
	o->matrix = argv[optind];
	o->plan = argv + optind + 1;
	o->n_plans = (size_t)(argc - optind - 1);
	return check(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift sweep */
#include "config.h"

#include "src/srift/sweep/sweep.h"

#include "base/text/path.h"
#include "src/srift/verbs.h"

#include <string.h>

#define SAMPLES_MAX 1000000000

#define AT(member) PL_OPTION_AT(struct srift_sweep_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	SRIFT_JOB_ROWS,
	SRIFT_BATCH_ROW,
	{"catalogue", required_argument, 0, pl_take_filled, AT(catalogue)},
	{"region", required_argument, 0, pl_take_text, AT(rule.region)},
	{"zone", required_argument, 0, pl_take_text, AT(rule.zone)},
	{"machines", required_argument, 0, srift_take_list, AT(machines),
	 1, PL_SELECTION_MACHINES_MAX},
	{"samples", required_argument, 0, pl_take_whole, AT(samples),
	 1, SAMPLES_MAX},
	{"csv", required_argument, 0, pl_take_filled, AT(csv)},
	SRIFT_NETWORK_ROWS,
	{0},
};
/* clang-format on */

static int check(struct srift_sweep_options *s, int n_arguments)
{
	struct srift_options *o = &s->o;

	if (n_arguments > 0)
		return srift_usage("sweep takes options only");
	if (!o->n_profiles || !s->catalogue)
		return srift_usage("%s is wanted", o->n_profiles ? "--catalogue" : "--profile");
	if (o->iterations)
		return srift_usage("sweep knows no --iterations");
	if (s->csv && pl_same_file(s->csv, o->output))
		return srift_usage("--csv and --output are the same file");
	if (s->csv && strcmp(s->csv, "-") == 0 && (!o->output || strcmp(o->output, "-") == 0))
		return srift_usage(
			"--csv=- and the table both want standard output: give --output");
	o->near = s->rule.zone ? s->rule.zone : s->rule.region;
	if (pl_tool_spares(SRIFT_TOOL, o->output, s->catalogue) ||
	    pl_tool_spares(SRIFT_TOOL, s->csv, s->catalogue) || srift_options_spare(o, s->csv))
		return PL_EXIT_USAGE;
	return srift_options_check_network(o);
}

int srift_sweep_options_parse(struct srift_sweep_options *s, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_sweep_help};
	int status;

	*s = (struct srift_sweep_options){.machines = {{1, 2, 4, 8, 16, 32, 64}, 7}};
	srift_options_init(&s->o);
	status = pl_options_parse(&options, argc, argv, s, &s->o.done);
	if (status != PL_EXIT_DONE || s->o.done)
		return status;
	return check(s, argc - optind);
}

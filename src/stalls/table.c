/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - plink-stalls table: stalls and costs of models by machines */
#include "config.h"

#include "src/stalls/table.h"

#include "planner/stalls/parts.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const char help[] =
"Usage: plink-stalls table [OPTION]... FILE...\n"
"Prints from measured steps (plink-stalls(5)) the stalls of each model on each\n"
"type of machine, time and cost of an epoch, and what would make it faster.\n"
"\n"
"  --catalogue=FILE     prices: plink-catalogue(5), SkyPilot's CSV, or the JSON\n"
"                       of ec2instances.info\n"
"  --region=NAME        take the prices of this region (the lowest of all)\n"
"  --spot               take the prices of machines that may be taken away\n"
"  --picture=FILE.svg   draw what the iterations wait for, as bars\n"
"  --json               JSON instead of text\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

#define AT(member) PL_OPTION_AT(struct stalls_table, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"catalogue", required_argument, 0, pl_take_filled, AT(catalogue)},
	{"region", required_argument, 0, pl_take_filled, AT(region)},
	{"spot", no_argument, 0, pl_take_flag, AT(spot)},
	{"picture", required_argument, 0, pl_take_svg, AT(picture)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

double stalls_table_price(const struct stalls_table *t, const char *machine)
{
	return pl_stall_price(&t->prices, machine, t->region, t->spot ? PL_SPOT : PL_ON_DEMAND);
}

/* A model comes once on a machine, in whatever file. */
static int check_alone(const struct pl_stall_runs *runs, size_t first, const char *path,
		       struct pl_err *err)
{
	for (size_t i = first; i < runs->n; i++)
		for (size_t j = 0; j < first; j++) {
			const struct pl_stall_run *a = &runs->v[i];
			const struct pl_stall_run *b = &runs->v[j];
			const struct pl_place place = {.file = path, .line = a->line, .col = 1};

			if (strcmp(a->model, b->model) == 0 && strcmp(a->machine, b->machine) == 0)
				return pl_err_at(err, place, "%s on %s is in another file already",
						 a->model, a->machine);
		}
	return 0;
}

static int read_all(struct stalls_table *t, char **file, struct pl_err *err)
{
	for (; *file; file++) {
		const size_t first = t->runs.n;

		if (pl_stall_runs_read(&t->runs, *file, err) ||
		    check_alone(&t->runs, first, *file, err))
			return -1;
	}
	return t->catalogue ? pl_catalogue_read(&t->prices, t->catalogue, err) : 0;
}

/* Types without a price are named: a cost that is missing has a reason. */
static void warn(const struct stalls_table *t)
{
	for (size_t i = 0; t->catalogue && i < t->runs.n; i++) {
		const struct pl_stall_run *run = &t->runs.v[i];
		const char *const types[] = {run->machine, run->apart};

		for (int k = 0; k < 2; k++)
			if (types[k] && isnan(stalls_table_price(t, types[k])))
				pl_tool_warn(STALLS_TOOL, "%s has no %sprice for %s%s%s",
					     t->catalogue, t->spot ? "spot " : "", types[k],
					     t->region ? " in " : "", t->region ? t->region : "");
	}
}

static int parse(struct stalls_table *t, int argc, char **argv, bool *done)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help};
	int status = pl_options_parse(&options, argc, argv, t, done);

	if (status != PL_EXIT_DONE || *done)
		return status;
	if (optind == argc)
		return pl_tool_usage(STALLS_TOOL, "table needs a file of measured steps");
	if ((t->region || t->spot) && !t->catalogue)
		return pl_tool_usage(STALLS_TOOL, "--%s needs --catalogue",
				     t->region ? "region" : "spot");
	for (int i = optind; i < argc && !status; i++)
		if (!(status = pl_tool_spares(STALLS_TOOL, t->output, argv[i])))
			status = pl_tool_spares(STALLS_TOOL, t->picture, argv[i]);
	return status ? status : pl_tool_spares(STALLS_TOOL, t->output, t->catalogue);
}

int stalls_table(int argc, char **argv)
{
	struct stalls_table t = {0};
	struct pl_err err = {0};
	bool done = false;
	int status = parse(&t, argc, argv, &done);

	if (status != PL_EXIT_DONE || done)
		return status;
	if (read_all(&t, argv + optind, &err) || (t.picture && stalls_table_picture(&t, &err))) {
		status = pl_tool_fail(STALLS_TOOL, &err);
	} else {
		warn(&t);
		status = pl_tool_output(STALLS_TOOL, t.output,
					t.json ? stalls_table_json : stalls_table_text, &t);
	}
	pl_stall_runs_fini(&t.runs);
	pl_catalogue_fini(&t.prices);
	return status;
}

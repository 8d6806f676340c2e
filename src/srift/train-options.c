/* SPDX-License-Identifier: BSD-3-Clause */
/* train-options.c - the command line of plink-srift train */
#include "config.h"

#include "src/srift/train.h"

#include "base/text/number.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/srift/verbs.h"
#include "src/srift/options.h"

#include <math.h>
#include <string.h>

#define DEPTH_MAX 20
#define COUNTS 8 /* numbers of trees that are tried */

/* "0.1,0.3": numbers above 0, up to option->most; whole ones if option->whole.
 */
static int take_list(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct pl_search_list *list = pl_option_to(o, option);
	const char *s = value;

	list->n = 0;
	for (;;) {
		const size_t len = strcspn(s, ",");
		double x = NAN;

		if (pl_double_parse(s, len, &x) || !(x > 0 && x <= option->most) ||
		    list->n == PL_SEARCH_VALUES_MAX || (option->whole && x != floor(x)))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants up to %d %snumbers above 0, at most %g, with "
					  "commas, not \"%s\"",
					  option->name, PL_SEARCH_VALUES_MAX,
					  option->whole ? "whole " : "", option->most, s);
		list->v[list->n++] = x;
		if (!s[len])
			return 0;
		s += len + 1;
	}
}

#define AT(member) PL_OPTION_AT(struct srift_train_options, member)
#define SEARCH(member) AT(learned.search.member)

/* clang-format off */
static const struct pl_option table[] = {
	{"model", required_argument, 0, pl_take_filled, AT(model)},
	{"mtu", required_argument, 0, pl_take_size, AT(learned.mtu_bytes),
	 1, PL_GRID_BYTES_MAX},
	{"folds", required_argument, 0, pl_take_whole, SEARCH(n_folds),
	 2, PL_SEARCH_FOLDS_MAX},
	{"trees", required_argument, 0, pl_take_whole, SEARCH(n_trees),
	 1, PL_SEARCH_TREES_MAX},
	{"depth", required_argument, 0, take_list, SEARCH(depth),
	 .whole = true, .most = DEPTH_MAX},
	{"rate", required_argument, 0, take_list, SEARCH(rate), .most = 1},
	{"min-weight", required_argument, 0, take_list, SEARCH(min_weight),
	 .most = 1e6},
	{"slope", required_argument, 0, take_list, SEARCH(slope), .most = 1e6},
	{"seed", required_argument, 0, pl_take_whole, AT(learned.seed),
	 0, UINT64_MAX},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{0},
};
/* clang-format on */

static int check(struct srift_train_options *o, int argc, char **argv)
{
	struct pl_boost_search *search = &o->learned.search;

	if (optind + 1 != argc)
		return srift_usage("one grid of measurements is wanted");
	if (!o->model)
		return srift_usage("--model is wanted: where the model is written to");
	if (o->json && strcmp(o->model, "-") == 0)
		return srift_usage("--json and --model=- both want standard output");
	o->grid = argv[optind];
	search->every = search->n_trees < COUNTS ? 1 : search->n_trees / COUNTS;
	return pl_tool_spares(SRIFT_TOOL, o->model, o->grid);
}

int srift_train_options_parse(struct srift_train_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_train_help};
	int status;

	*o = (struct srift_train_options){
		.learned = {.mtu_bytes = PL_LEARNED_MTU, .seed = 1, .search = PL_SEARCH_DEFAULT},
	};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, argc, argv);
}

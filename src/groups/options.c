/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-groups */
#include "config.h"

#include "src/groups/options.h"

#include "src/common/options.h"
#include "src/common/tool.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const char help[] =
"Usage: plink-groups [OPTION]... MATRIX|-\n"
"Finds from measured distances which hosts belong together: racks, or a number\n"
"of groups of similar size.\n"
"\n"
"Groups\n"
"  --groups[=K]         K groups instead of racks (square root of the number\n"
"                       of hosts)\n"
"  --elasticity=E       how uneven their sizes may be, 1 to 2 (1)\n"
"Embedding, from which groups and estimates are taken\n"
"  --alpha=A            distances are Euclidean ones to this power, 1 to 2\n"
"                       in steps of 1/8 (1)\n"
"  --heights=yes|no     each host has a share of its own (yes)\n"
"  --dimensions=D       1 to 32 (3, of 128 hosts or more 4)\n"
"  --weights=HOW        relative: errors count relative to the distance; or\n"
"                       equal (relative)\n"
"  --bend=X             errors above X times the median count linearly, not\n"
"                       squared; 0: all are squared (3)\n"
"  --starts=N           take the best of N starts, after one for the weights\n"
"                       (1)\n"
"  --steps=N            steps of each start (250)\n"
"  --seed=N             (1)\n"
"Input and output\n"
"  --truth=FILE         location of hosts: report the agreement (PAIA)\n"
"  --unit=UNIT          ns, us, ms, s, bytes-per-s: of a matrix that states\n"
"                       none (ns)\n"
"  --format=FORMAT      text, json, matrix: with a layer of estimates (text);\n"
"                       or for schedulers: slurm-tree, slurm-block,\n"
"                       topology.yaml, k8s-labels, hypernode\n"
"  --denoise[=SHARE]    with --format=matrix, replace measurements by their\n"
"                       estimates, or mix in this share of them (1)\n"
"  --json               --format=json\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

/* Values that an embedding would refuse are refused even if these groups need no embedding. */
static int take_alpha(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	const struct groups_options *to = o;

	if (pl_take_number(o, option, value, err))
		return -1;
	if (fmod(to->embed.alpha * 8, 1) == 0)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--%s goes from 1 to 2 by eighths (1.125, 1.25, ...), not \"%s\"",
			  option->name, value);
}

static int take_weights(void *o, const struct pl_option *option, const char *value,
			struct pl_err *err)
{
	struct groups_options *to = o;

	if (pl_take_word(o, option, value, err))
		return -1;
	to->weight = to->embed.reweigh ? PL_WEIGHT_RELATIVE : PL_WEIGHT_EQUAL;
	return 0;
}

static int take_unit(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct groups_options *to = o;

	if (!pl_unit_parse(value, strlen(value), &to->unit) && to->unit != PL_PROBES)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "--%s: no \"%s\"", option->name, value);
}

static const char *const answers[] = {"no", "yes", NULL};
static const char *const weights[] = {"equal", "relative", NULL};
static const char *const formats[] = {"text",       "json",        "matrix",
				      "slurm-tree", "slurm-block", "topology.yaml",
				      "k8s-labels", "hypernode",   NULL};

#define AT(member) PL_OPTION_AT(struct groups_options, member)
#define ALSO(member) .also = offsetof(struct groups_options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"groups", optional_argument, 0, pl_take_whole, AT(k),
	 1, PL_MATRIX_HOSTS_MAX, ALSO(balanced)},
	{"elasticity", required_argument, 0, pl_take_number, AT(elasticity),
	 .least = 1, .most = 2},
	{"alpha", required_argument, 0, take_alpha, AT(embed.alpha),
	 .least = 1, .most = 2, ALSO(embed_asked)},
	{"heights", required_argument, 0, pl_take_word, AT(embed.heights),
	 .words = answers, ALSO(embed_asked)},
	{"weights", required_argument, 0, take_weights, AT(embed.reweigh),
	 .words = weights, ALSO(embed_asked)},
	{"bend", required_argument, 0, pl_take_number, AT(embed.bend),
	 .least = 0, .most = 1e6, ALSO(embed_asked)},
	{"dimensions", required_argument, 0, pl_take_whole,
	 AT(embed.dimensions), 1, PL_EMBED_DIMENSIONS_MAX, ALSO(embed_asked)},
	{"starts", required_argument, 0, pl_take_whole, AT(embed.starts),
	 1, 1000, ALSO(embed_asked)},
	{"steps", required_argument, 0, pl_take_whole, AT(embed.steps),
	 1, 1000000, ALSO(embed_asked)},
	{"seed", required_argument, 0, pl_take_whole, AT(embed.seed),
	 0, UINT64_MAX, ALSO(embed_asked)},
	{"truth", required_argument, 0, pl_take_filled, AT(truth)},
	{"format", required_argument, 0, pl_take_word, AT(format),
	 .words = formats},
	{"json", no_argument, 0, pl_take_constant, AT(format), GROUPS_JSON},
	{"denoise", optional_argument, 0, pl_take_number, AT(share),
	 .least = 0, .most = 1, ALSO(denoise)},
	{"unit", required_argument, 0, .take = take_unit},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int check(const struct groups_options *o, int n_arguments)
{
	if (n_arguments != 1)
		return pl_tool_usage(GROUPS_TOOL, "exactly one matrix is needed");
	if (o->elasticity != 1 && !o->balanced)
		return pl_tool_usage(GROUPS_TOOL, "--elasticity needs --groups");
	if (o->denoise && o->format != GROUPS_MATRIX)
		return pl_tool_usage(GROUPS_TOOL, "--denoise needs --format=matrix");
	if (o->format == GROUPS_MATRIX && (o->balanced || o->truth))
		return pl_tool_usage(GROUPS_TOOL,
				     "--format=matrix cannot be combined with --groups or --truth");
	if (o->format >= GROUPS_SCHEDULERS && o->truth)
		return pl_tool_usage(GROUPS_TOOL, "--truth needs --format=text or json");
	return pl_tool_spares(GROUPS_TOOL, o->output, o->truth);
}

int groups_options_parse(struct groups_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = GROUPS_TOOL, .option = table, .help = help};
	int status;

	*o = (struct groups_options){
		.elasticity = 1,
		.embed = PL_EMBED_DEFAULTS,
		.weight = PL_WEIGHT_RELATIVE,
		.share = 1,
		.unit = PL_NS,
	};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->matrix = argv[optind];
	status = check(o, argc - optind);
	return status ? status : pl_tool_spares(GROUPS_TOOL, o->output, o->matrix);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-groups */
#include "config.h"

#include "src/groups/options.h"

#include "base/text/number.h"
#include "src/common/tool.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

enum {
	GROUPS = 256,
	ELASTICITY,
	ALPHA,
	HEIGHTS,
	WEIGHTS,
	BEND,
	DIMENSIONS,
	STARTS,
	STEPS,
	SEED,
	TRUTH,
	FORMAT,
	JSON,
	DENOISE,
	UNIT,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"groups", optional_argument, NULL, GROUPS},
	{"elasticity", required_argument, NULL, ELASTICITY},
	{"alpha", required_argument, NULL, ALPHA},
	{"heights", required_argument, NULL, HEIGHTS},
	{"weights", required_argument, NULL, WEIGHTS},
	{"bend", required_argument, NULL, BEND},
	{"dimensions", required_argument, NULL, DIMENSIONS},
	{"starts", required_argument, NULL, STARTS},
	{"steps", required_argument, NULL, STEPS},
	{"seed", required_argument, NULL, SEED},
	{"truth", required_argument, NULL, TRUTH},
	{"format", required_argument, NULL, FORMAT},
	{"json", no_argument, NULL, JSON},
	{"denoise", optional_argument, NULL, DENOISE},
	{"unit", required_argument, NULL, UNIT},
	{"output", required_argument, NULL, 'o'},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"Usage: plink-groups [OPTION]... MATRIX|-\n"
	"Finds from measured distances which hosts belong together: racks, or "
	"a number\n"
	"of groups of similar size.\n"
	"\n"
	"Groups\n"
	"  --groups[=K]         K groups instead of racks (square root of the "
	"number\n"
	"                       of hosts)\n"
	"  --elasticity=E       how uneven their sizes may be, 1 to 2 (1)\n"
	"Embedding, from which groups and estimates are taken\n"
	"  --alpha=A            distances are Euclidean ones to this power, 1 "
	"to 2\n"
	"                       in steps of 1/8 (1)\n"
	"  --heights=yes|no     each host has a share of its own (yes)\n"
	"  --dimensions=D       1 to 32 (3, of 128 hosts or more 4)\n"
	"  --weights=HOW        relative: errors count relative to the "
	"distance; or\n"
	"                       equal (relative)\n"
	"  --bend=X             errors above X times the median count "
	"linearly, not\n"
	"                       squared; 0: all are squared (3)\n"
	"  --starts=N           take the best of N starts, after one for the "
	"weights\n"
	"                       (1)\n"
	"  --steps=N            steps of each start (250)\n"
	"  --seed=N             (1)\n"
	"Input and output\n"
	"  --truth=FILE         location of hosts: report the agreement "
	"(PAIA)\n"
	"  --unit=UNIT          ns, us, ms, s, bytes-per-s: of a matrix that "
	"states\n"
	"                       none (ns)\n"
	"  --format=FORMAT      text, json, matrix: with a layer of estimates "
	"(text)\n"
	"  --denoise[=SHARE]    with --format=matrix, replace measurements by "
	"their\n"
	"                       estimates, or mix in this share of them (1)\n"
	"  --json               --format=json\n"
	"  -o, --output=FILE    (standard output)\n"
	"      --help, --version\n"
	"\n"
	"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";

static int take_count(int opt, const char *s, size_t max, size_t *value)
{
	uint64_t whole = 0;
	const int status =
		pl_tool_take_whole(GROUPS_TOOL, longs, opt, s, 1, max, &whole);

	*value = (size_t)whole;
	return status;
}

static int take_number(int opt, const char *s, double min, double max,
		       double *value)
{
	if (!pl_double_parse(s, strlen(s), value) && *value >= min &&
	    *value <= max)
		return PL_EXIT_DONE;
	return pl_tool_usage(GROUPS_TOOL,
			     "--%s wants a number from %g to %g, not \"%s\"",
			     pl_tool_option(longs, opt), min, max, s);
}

/* Whether or not these groups need an embedding: what it would refuse is
 * refused. */
static int take_alpha(const char *s, double *value)
{
	const int status = take_number(ALPHA, s, 1, 2, value);

	if (status != PL_EXIT_DONE || fmod(*value * 8, 1) == 0)
		return status;
	return pl_tool_usage(GROUPS_TOOL,
			     "--alpha goes from 1 to 2 by eighths (1.125, "
			     "1.25, ...), not \"%s\"",
			     s);
}

/* Which of the words, NULL behind the last; -1 once it was told that it is
 * none. */
static int take_word(int opt, const char *s, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(s, words[i]))
			return i;
	pl_tool_usage(GROUPS_TOOL, "--%s: no \"%s\"",
		      pl_tool_option(longs, opt), s);
	return -1;
}

static int take_embedding(struct pl_embed_options *o, int opt, const char *s)
{
	static const char *const answers[] = {"no", "yes", NULL};
	int word;

	switch (opt) {
	case ALPHA:
		return take_alpha(s, &o->alpha);
	case HEIGHTS:
		word = take_word(opt, s, answers);
		o->heights = word > 0;
		return word < 0 ? PL_EXIT_USAGE : PL_EXIT_DONE;
	case BEND:
		return take_number(opt, s, 0, 1e6, &o->bend);
	case DIMENSIONS:
		return take_count(opt, s, PL_EMBED_DIMENSIONS_MAX,
				  &o->dimensions);
	case STARTS:
		return take_count(opt, s, 1000, &o->starts);
	case STEPS:
		return take_count(opt, s, 1000000, &o->steps);
	default:
		return pl_tool_take_whole(GROUPS_TOOL, longs, opt, s, 0,
					  UINT64_MAX, &o->seed);
	}
}

static int take_unit(const char *s, enum pl_unit *unit)
{
	if (!pl_unit_parse(s, strlen(s), unit) && *unit != PL_PROBES)
		return PL_EXIT_DONE;
	return pl_tool_usage(GROUPS_TOOL, "--unit: no \"%s\"", s);
}

static int take_output(struct groups_options *o, int opt, const char *s)
{
	static const char *const formats[] = {"text", "json", "matrix", NULL};
	int word;

	switch (opt) {
	case TRUTH:
		o->truth = s;
		return PL_EXIT_DONE;
	case JSON:
		o->format = GROUPS_JSON;
		return PL_EXIT_DONE;
	case FORMAT:
		word = take_word(opt, s, formats);
		if (word >= 0)
			o->format = (enum groups_format)word;
		return word < 0 ? PL_EXIT_USAGE : PL_EXIT_DONE;
	case DENOISE:
		o->denoise = true;
		return s ? take_number(opt, s, 0, 1, &o->share) : PL_EXIT_DONE;
	case UNIT:
		return take_unit(s, &o->unit);
	case 'o':
		o->output = s;
		return PL_EXIT_DONE;
	default:
		o->embed_asked = true;
		return take_embedding(&o->embed, opt, s);
	}
}

static int take(struct groups_options *o, int opt, const char *s)
{
	static const char *const weights[] = {"equal", "relative", NULL};
	int word;

	switch (opt) {
	case GROUPS:
		o->balanced = true;
		return s ? take_count(opt, s, PL_MATRIX_HOSTS_MAX, &o->k)
			 : PL_EXIT_DONE;
	case ELASTICITY:
		return take_number(opt, s, 1, 2, &o->elasticity);
	case WEIGHTS:
		word = take_word(opt, s, weights);
		o->embed_asked = true;
		o->weight = word == 0 ? PL_WEIGHT_EQUAL : PL_WEIGHT_RELATIVE;
		o->embed.reweigh = o->weight == PL_WEIGHT_RELATIVE;
		return word < 0 ? PL_EXIT_USAGE : PL_EXIT_DONE;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(GROUPS_TOOL, help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(GROUPS_TOOL);
	case '?':
		return pl_tool_usage(GROUPS_TOOL, "unknown option, or a value "
						  "is missing");
	default:
		return take_output(o, opt, s);
	}
}

static int check(const struct groups_options *o, int n_arguments)
{
	if (n_arguments != 1)
		return pl_tool_usage(GROUPS_TOOL,
				     "exactly one matrix is needed");
	if (o->elasticity != 1 && !o->balanced)
		return pl_tool_usage(GROUPS_TOOL,
				     "--elasticity needs --groups");
	if (o->denoise && o->format != GROUPS_MATRIX)
		return pl_tool_usage(GROUPS_TOOL,
				     "--denoise needs --format=matrix");
	if (o->format == GROUPS_MATRIX && (o->balanced || o->truth))
		return pl_tool_usage(GROUPS_TOOL,
				     "--format=matrix cannot be combined with "
				     "--groups or --truth");
	return pl_tool_spares(GROUPS_TOOL, o->output, o->truth);
}

int groups_options_parse(struct groups_options *o, int argc, char **argv)
{
	int opt, status = PL_EXIT_DONE;

	*o = (struct groups_options){
		.elasticity = 1,
		.embed = PL_EMBED_DEFAULTS,
		.weight = PL_WEIGHT_RELATIVE,
		.share = 1,
		.unit = PL_NS,
	};
	opterr = 0;
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long(argc, argv, "o:", longs, NULL)) != -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	o->matrix = argv[optind];
	status = check(o, argc - optind);
	return status ? status
		      : pl_tool_spares(GROUPS_TOOL, o->output, o->matrix);
}

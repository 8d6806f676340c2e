/* SPDX-License-Identifier: BSD-3-Clause */
/* synth.c - plink-stalls synth: how long made-up models exchange gradients */
#include "config.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/size.h"
#include "planner/stalls/law.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_MAX 16
#define LAYERS_MAX 1000000
#define NAME_CHARS 64
#define SECOND_NS 1e9

/* clang-format off */
static const char help[] =
"Usage: plink-stalls synth {--link=NAME=LATENCY,RATE|--fit=FILE} [OPTION]...\n"
"                          MODEL=LAYERS,BYTES...\n"
"Predicts how long models with so many layers and bytes of gradients exchange\n"
"them over each link; for each two models, also the rate above which the one with\n"
"fewer layers is exchanged sooner.\n"
"\n"
"  --link=NAME=LATENCY,RATE  as in nvlink=20us,1200Gbit; may be repeated\n"
"  --fit=FILE           fit links to measured steps (plink-stalls(5))\n"
"  --json               JSON instead of text\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

struct link {
	char name[NAME_CHARS];
	struct pl_stall_link is;
};

struct made {
	char name[NAME_CHARS];
	struct pl_stall_model is;
};

struct synth {
	const char *fit, *output; /* borrowed from argv */
	bool json;
	struct link link[LINKS_MAX];
	size_t n_links;
	struct made *made;
	size_t n_made;
};

/* "NAME=FIRST,SECOND": the name, and where the others begin. */
static const char *split(const char *s, char name[NAME_CHARS], const char **comma)
{
	const char *equals = strchr(s, '=');

	if (!equals || equals == s || equals - s >= NAME_CHARS)
		return NULL;
	memcpy(name, s, (size_t)(equals - s));
	name[equals - s] = '\0';
	*comma = strchr(equals, ',');
	return *comma ? equals + 1 : NULL;
}

static int take_link(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct synth *s = o;
	struct link link = {.name = ""};
	const char *comma, *first = split(value, link.name, &comma);
	char latency[NAME_CHARS] = "";
	double ns = 0, bps = 0;

	if (s->n_links == LINKS_MAX)
		return pl_err_set(err, PL_EUSAGE, "--%s: at most %d links", option->name,
				  LINKS_MAX);
	if (first && comma - first < NAME_CHARS)
		memcpy(latency, first, (size_t)(comma - first));
	if (!first || pl_time_parse(latency, SECOND_NS, &ns) || pl_rate_parse(comma + 1, &bps))
		return pl_err_set(
			err, PL_EUSAGE,
			"--%s wants NAME=LATENCY,RATE, as in nvlink=20us,1200Gbit, not \"%s\"",
			option->name, value);
	link.is.latency_s = ns / SECOND_NS;
	link.is.bytes_per_s = bps / 8;
	s->link[s->n_links++] = link;
	return 0;
}

#define AT(member) PL_OPTION_AT(struct synth, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"link", required_argument, 0, .take = take_link},
	{"fit", required_argument, 0, pl_take_filled, AT(fit)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int take_model(struct made *made, const char *s)
{
	const char *comma, *first = split(s, made->name, &comma);
	uint64_t layers, bytes;

	if (!first || pl_uint_parse(first, (size_t)(comma - first), LAYERS_MAX, &layers) ||
	    layers == 0 || pl_size_parse(comma + 1, strlen(comma + 1), &bytes))
		return pl_tool_usage(
			STALLS_TOOL,
			"a model is NAME=LAYERS,BYTES, as in vgg16=16,553430176, not \"%s\"", s);
	made->is = (struct pl_stall_model){.layers = (double)layers, .bytes = (double)bytes};
	return PL_EXIT_DONE;
}

static int parse(struct synth *s, int argc, char **argv, bool *done)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help};
	struct pl_err err = {0};
	int status = pl_options_parse(&options, argc, argv, s, done);

	if (status != PL_EXIT_DONE || *done)
		return status;
	if (!s->n_links && !s->fit)
		return pl_tool_usage(STALLS_TOOL, "--link or --fit is wanted");
	if (argc == optind)
		return pl_tool_usage(STALLS_TOOL, "a model is wanted, as in vgg16=16,553430176");
	s->n_made = (size_t)(argc - optind);
	s->made = pl_array_create(s->n_made, sizeof(*s->made));
	if (!s->made) {
		pl_err_nomem(&err);
		return pl_tool_fail(STALLS_TOOL, &err);
	}
	for (size_t i = 0; status == 0 && i < s->n_made; i++)
		status = take_model(&s->made[i], argv[(size_t)optind + i]);
	return status ? status : pl_tool_spares(STALLS_TOOL, s->output, s->fit);
}

/* The links of a file: each stall that has runs enough; one at least. */
static int fit(struct synth *s, struct pl_err *err)
{
	static const enum pl_stall stalls[] = {PL_STALL_INTERCONNECT, PL_STALL_NETWORK};
	struct pl_stall_runs runs = {0};
	const size_t n_given = s->n_links;
	int rc = pl_stall_runs_read(&runs, s->fit, err);

	for (int i = 0; rc == 0 && i < 2 && s->n_links < LINKS_MAX; i++) {
		struct link *link = &s->link[s->n_links];

		snprintf(link->name, sizeof(link->name), "%s", pl_stall_name(stalls[i]));
		if (pl_stall_link_fit(&link->is, &runs, stalls[i], err) == 0)
			s->n_links++;
	}
	if (rc == 0 && s->n_links == n_given)
		rc = -1;
	pl_stall_runs_fini(&runs);
	return rc;
}

static void put_link(const struct synth *s, const struct link *link, FILE *out)
{
	char rate[PL_RATE_CHARS];

	fprintf(out, "%s: %s, %s/s\n", link->name, PL_TIME_TEXT(link->is.latency_s),
		isfinite(link->is.bytes_per_s) ? pl_rate_format(rate, link->is.bytes_per_s * 8)
					       : "unlimited bit");
	for (size_t i = 0; i < s->n_made; i++)
		fprintf(out, "  %-20s %s\n", s->made[i].name,
			PL_TIME_TEXT(pl_stall_exchange_s(&link->is, &s->made[i].is)));
	for (size_t i = 0; i < s->n_made; i++)
		for (size_t j = i + 1; j < s->n_made; j++) {
			const double cross = pl_stall_crossover(&s->made[i].is, &s->made[j].is,
								link->is.latency_s);

			if (!isnan(cross))
				fprintf(out, "  %s and %s are equal at %s/s\n", s->made[i].name,
					s->made[j].name, pl_rate_format(rate, cross * 8));
		}
}

static int write_text(const void *arg, FILE *out, struct pl_err *err)
{
	const struct synth *s = arg;

	for (size_t i = 0; i < s->n_links; i++)
		put_link(s, &s->link[i], out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static json_t *exchanges(const struct synth *s, const struct link *link)
{
	json_t *all = json_array();

	for (size_t i = 0; i < s->n_made; i++)
		pl_list_add(&all, json_pack("{ss sf sf sf}", "model", s->made[i].name, "layers",
					    s->made[i].is.layers, "bytes", s->made[i].is.bytes,
					    "exchange_s",
					    pl_stall_exchange_s(&link->is, &s->made[i].is)));
	return all;
}

static json_t *crossovers(const struct synth *s, const struct link *link)
{
	json_t *all = json_array();

	for (size_t i = 0; i < s->n_made; i++)
		for (size_t j = i + 1; j < s->n_made; j++)
			pl_list_add(&all, json_pack("{s[ss] so}", "models", s->made[i].name,
						    s->made[j].name, "bytes_per_s",
						    pl_tool_json_number(pl_stall_crossover(
							    &s->made[i].is, &s->made[j].is,
							    link->is.latency_s))));
	return all;
}

static int write_json(const void *arg, FILE *out, struct pl_err *err)
{
	const struct synth *s = arg;
	json_t *all = json_array();

	for (size_t i = 0; i < s->n_links; i++) {
		const struct link *link = &s->link[i];

		pl_list_add(&all, json_pack("{ss sf so so so}", "link", link->name, "latency_s",
					    link->is.latency_s, "bytes_per_s",
					    pl_tool_json_number(link->is.bytes_per_s), "models",
					    exchanges(s, link), "crossovers", crossovers(s, link)));
	}
	return pl_tool_json_write(STALLS_TOOL, json_pack("{so}", "links", all), out, err);
}

int stalls_synth(int argc, char **argv)
{
	struct synth s = {.n_links = 0};
	struct pl_err err = {0};
	bool done = false;
	int status = parse(&s, argc, argv, &done);

	if (status == PL_EXIT_DONE && !done) {
		if (s.fit && fit(&s, &err))
			status = pl_tool_fail(STALLS_TOOL, &err);
		else
			status = pl_tool_output(STALLS_TOOL, s.output,
						s.json ? write_json : write_text, &s);
	}
	free(s.made);
	return status;
}

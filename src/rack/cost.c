/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c - plink-rack cost: samples a second for a dollar */
#include "config.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/outfile.h"
#include "base/text/path.h"
#include "planner/rack/deploy.h"
#include "src/common/tool.h"
#include "src/rack/rack.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 64
#define ROWS_MAX PL_DEPLOY_RATIOS_MAX /* of a deployment and its hubs */
_Static_assert(LIST_MAX <= ROWS_MAX, "both lists have room");

struct list {
	double v[LIST_MAX];
	size_t n;
};

/* Strings are borrowed from argv. */
struct options {
	struct rack_output output;
	const char *prices, *csv;
	struct list ratio, hubs; /* none: those of the file */
};

struct row {
	const struct pl_deploy *of;
	uint64_t hubs;
	double ratio, reported; /* NaN: not given */
	struct pl_deploy_cost cost;
};

struct answer {
	const struct options *o;
	struct pl_deploys deploys;
	struct row *row;
	size_t n_rows;
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* Numbers in [least, most], separated by commas. */
static int take_list(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct list *to = pl_option_to(o, option);

	to->n = 0;
	for (const char *s = value;; s++) {
		const size_t len = strcspn(s, ",");
		double x;

		if (to->n == LIST_MAX || pl_double_parse(s, len, &x) ||
		    !(x >= option->least && x <= option->most) || (option->whole && x != floor(x)))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants up to %d %snumbers from "
					  "%g to %g, as 1,2,4, not \"%s\"",
					  option->name, LIST_MAX, option->whole ? "whole " : "",
					  option->least, option->most, value);
		to->v[to->n++] = x;
		s += len;
		if (!*s)
			return 0;
	}
}

/* clang-format off */
static const struct pl_option table[] = {
	{"oversubscription", required_argument, 0, take_list, AT(ratio),
	 .least = 1, .most = 1000},
	{"hubs", required_argument, 0, take_list, AT(hubs),
	 .least = 1, .most = 1000, .whole = true},
	{"csv", required_argument, 0, pl_take_filled, AT(csv)},
	{"json", no_argument, 0, pl_take_flag, AT(output.json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output.path)},
	{0},
};
/* clang-format on */

static int check(const struct options *o, int n_arguments)
{
	if (n_arguments != 1)
		return pl_tool_usage(RACK_TOOL, "cost takes one file of prices");
	if (o->csv && pl_same_file(o->csv, o->output.path))
		return pl_tool_usage(RACK_TOOL, "--csv and --output are the same file");
	if (o->csv && strcmp(o->csv, "-") == 0 &&
	    (!o->output.path || strcmp(o->output.path, "-") == 0))
		return pl_tool_usage(RACK_TOOL, "--csv=- and the table both want standard "
						"output: give --output");
	return pl_tool_spares(RACK_TOOL, o->output.path, o->prices) ||
			       pl_tool_spares(RACK_TOOL, o->csv, o->prices)
		       ? PL_EXIT_USAGE
		       : PL_EXIT_DONE;
}

/* What was reported of that ratio, with the hubs of the file. */
static double reported(const struct pl_deploy *d, uint64_t hubs, double ratio)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->ratio[i] == ratio && hubs == d->hubs)
			return d->reported[i];
	return NAN;
}

/* Combinations that leave no port for workers have no row; that is said. */
static void add_row(struct answer *a, const struct pl_deploy *d, uint64_t hubs, double ratio)
{
	struct row *row = &a->row[a->n_rows];
	struct pl_err err = {0};

	*row = (struct row){
		.of = d, .hubs = hubs, .ratio = ratio, .reported = reported(d, hubs, ratio)};
	if (pl_deploy_cost(d, hubs, ratio, &row->cost, &err))
		pl_tool_warn(RACK_TOOL, "%" PRIu64 " hubs at %g:1: %s", hubs, ratio, err.text);
	else
		a->n_rows++;
}

static void add_deploy(struct answer *a, const struct pl_deploy *d)
{
	const struct options *o = a->o;
	const size_t n_hubs = d->hubs > 0 && o->hubs.n > 0 ? o->hubs.n : 1;
	const size_t n_ratios = o->ratio.n > 0 ? o->ratio.n : d->n;

	for (size_t h = 0; h < n_hubs; h++)
		for (size_t i = 0; i < n_ratios; i++)
			add_row(a, d,
				d->hubs > 0 && o->hubs.n > 0 ? (uint64_t)o->hubs.v[h] : d->hubs,
				o->ratio.n > 0 ? o->ratio.v[i] : d->ratio[i]);
}

static int find(struct answer *a, struct pl_err *err)
{
	if (pl_deploys_read(&a->deploys, a->o->prices, err))
		return -1;
	a->row = pl_array_create(a->deploys.n * (a->o->hubs.n + 1), ROWS_MAX * sizeof(*a->row));
	if (!a->row)
		return pl_err_nomem(err);
	for (size_t i = 0; i < a->deploys.n; i++)
		add_deploy(a, &a->deploys.v[i]);
	if (a->n_rows > 0)
		return 0;
	return pl_err_set(err, PL_EPARTIAL, "%s: no deployment is possible", a->o->prices);
}

static void write_row(const struct row *r, const struct row *first, FILE *out)
{
	fprintf(out, "%-20s %4" PRIu64 " %6.4g:1 %8" PRIu64 " %10.2f %10.2f %10.2f %9.2f %6.2f",
		r->of->name, r->hubs, r->ratio, r->cost.workers, r->cost.network, r->cost.hub,
		r->cost.worker, r->cost.per_1000, r->cost.per_1000 / first->cost.per_1000);
	if (!isnan(r->reported))
		fprintf(out, " %9.2f", r->reported);
	fputc('\n', out);
}

static int write_text(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;

	fprintf(out, "%-20s %4s %8s %8s %10s %10s %10s %9s %6s %9s\n", "deployment", "hubs",
		"uplinks", "workers", "network $", "hubs $", "worker $", "per 1000$", "ratio",
		"reported");
	for (size_t i = 0; i < a->n_rows; i++)
		write_row(&a->row[i], a->row, out);
	for (size_t i = 0; i < a->deploys.n; i++)
		if (a->deploys.v[i].why)
			fprintf(out, "%s: %s\n", a->deploys.v[i].name, a->deploys.v[i].why);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

/* A name in quotes, the quotes in it doubled. */
static void write_name(const char *name, FILE *out)
{
	fputc('"', out);
	for (; *name; name++) {
		if (*name == '"')
			fputc('"', out);
		fputc(*name, out);
	}
	fputc('"', out);
}

static int write_csv(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	char s[6][PL_DOUBLE_CHARS];

	fprintf(out, "deployment,hubs,oversubscription,workers,network_dollars,"
		     "hub_dollars,worker_dollars,per_1000_dollars,reported\n");
	for (size_t i = 0; i < a->n_rows; i++) {
		const struct row *r = &a->row[i];

		write_name(r->of->name, out);
		fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",%s,%s,%s,%s,%s\n", r->hubs,
			pl_double_format(s[0], r->ratio), r->cost.workers,
			pl_double_format(s[1], r->cost.network),
			pl_double_format(s[2], r->cost.hub), pl_double_format(s[3], r->cost.worker),
			pl_double_format(s[4], r->cost.per_1000),
			isnan(r->reported) ? "" : pl_double_format(s[5], r->reported));
	}
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static int write_json(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	json_t *rows = json_array();

	for (size_t i = 0; i < a->n_rows; i++) {
		const struct row *r = &a->row[i];

		pl_list_add(&rows,
			    json_pack("{ss sI sf sI sf sf sf sf so ss?}", "deployment", r->of->name,
				      "hubs", (json_int_t)r->hubs, "oversubscription", r->ratio,
				      "workers", (json_int_t)r->cost.workers, "network_dollars",
				      r->cost.network, "hub_dollars", r->cost.hub, "worker_dollars",
				      r->cost.worker, "per_1000_dollars", r->cost.per_1000,
				      "reported", pl_tool_json_number(r->reported), "why",
				      r->of->why));
	}
	return pl_tool_json_write(RACK_TOOL, json_pack("{so}", "rows", rows), out, err);
}

int rack_cost_main(int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = RACK_TOOL, .option = table, .help = rack_cost_help};
	struct options o = {0};
	struct answer a = {.o = &o};
	struct pl_err err = {0};
	int status = pl_options_parse(&options, argc, argv, &o, &o.output.done);

	if (status != PL_EXIT_DONE || o.output.done)
		return status;
	o.prices = argv[optind];
	status = check(&o, argc - optind);
	if (status != PL_EXIT_DONE)
		return status;
	/* before the table, so that a full disk spoils none */
	if (find(&a, &err) || (o.csv && pl_outfile_write(o.csv, write_csv, &a, &err)))
		status = pl_tool_fail(RACK_TOOL, &err);
	else
		status = pl_tool_output(RACK_TOOL, o.output.path,
					o.output.json ? write_json : write_text, &a);
	free(a.row);
	pl_deploys_fini(&a.deploys);
	return status;
}

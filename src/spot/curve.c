/* SPDX-License-Identifier: BSD-3-Clause */
/* curve.c - plink-spot curve: how likely machines are taken away by an age */
#include "config.h"

#include "base/text/size.h"
#include "planner/transient/hours.h"
#include "planner/transient/survival.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/spot/picture.h"
#include "src/spot/sources.h"
#include "src/spot/verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PERCENT 100
#define FIRST_AGE_S 3600 /* of the table; each is twice the one before */

/* Strings are borrowed from argv. */
struct options {
	struct spot_sources from;
	uint64_t hours;     /* of a band of hours of start */
	const char *output; /* NULL: standard output */
	const char *picture;
	bool json;
	bool done;
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"history", required_argument, 0, spot_take_history, AT(from)},
	{"hours", required_argument, 0, pl_take_whole, AT(hours), 1, 12},
	{"picture", required_argument, 0, pl_take_svg, AT(picture)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int parse_options(struct options *o, int argc, char **argv)
{
	static const struct pl_option file = {.name = "FILE", AT(from)};
	static const struct pl_options options = {
		.tool = SPOT_TOOL, .option = table, .help = spot_curve_help};
	struct pl_err err = {0};
	int status;

	*o = (struct options){.hours = 6};
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (24 % o->hours)
		return spot_usage("--hours must divide 24");
	for (int i = optind; i < argc; i++)
		if (spot_take_file(o, &file, argv[i], &err))
			return pl_tool_fail(SPOT_TOOL, &err);
	if (!o->from.n_files && !o->from.n_histories)
		return spot_usage("a file of lifetimes is wanted, or --history");
	status = spot_sources_spare(&o->from, o->output);
	return status ? status : spot_sources_spare(&o->from, o->picture);
}

static void write_age(const struct pl_survival *c, double s, FILE *out)
{
	fprintf(out, "  %-8s  %5.1f %%  +- %.1f\n", PL_TIME_TEXT(s),
		PERCENT * pl_survival_lost(c, s), PERCENT * pl_survival_spread(c, s));
}

static void write_start(const struct pl_life_group *g, FILE *out)
{
	if (g->launch.n)
		fprintf(out, "  launch    %s (mean of %zu)",
			PL_TIME_TEXT(pl_history_mean_s(&g->launch)), g->launch.n);
	for (int i = 0; g->stage[0].n && i < PL_START_STAGES; i++)
		fprintf(out, "%s %s after %s", i ? "," : ":", pl_start_stage_name[i],
			PL_TIME_TEXT(pl_history_mean_s(&g->stage[i])));
	if (g->stage[0].n && g->stage[0].n != g->launch.n)
		fprintf(out, " (mean of %zu machines)", g->stage[0].n);
	if (g->launch.n)
		fputc('\n', out);
	if (g->cold.n)
		fprintf(out, "  cold      %s until it computes (mean of %zu)\n",
			PL_TIME_TEXT(pl_history_mean_s(&g->cold)), g->cold.n);
	if (g->warm.n)
		fprintf(out, "  warm      %s until it computes (mean of %zu)\n",
			PL_TIME_TEXT(pl_history_mean_s(&g->warm)), g->warm.n);
	if (g->prices.n)
		fprintf(out, "  price     $%.4g an hour (mean of %s)\n", pl_prices_mean(&g->prices),
			PL_TIME_TEXT(pl_prices_length_s(&g->prices)));
}

static void write_curve(const struct pl_life_group *g, const struct pl_survival *c, FILE *out)
{
	const double mean_s = pl_survival_mean_s(c);
	const double end_s = fmin(c->seen_s, c->limit_s);

	fprintf(out, "%s %s: %zu of %zu machines lost in %s", g->type, g->region, c->n_lost,
		c->n_lives, PL_TIME_TEXT(g->held_s));
	if (isfinite(mean_s))
		fprintf(out, ", mean life %s", PL_TIME_TEXT(mean_s));
	fprintf(out, "\n  age       taken away by then\n");
	for (double s = FIRST_AGE_S; s < end_s; s *= 2)
		write_age(c, s, out);
	write_age(c, end_s, out);
	if (isfinite(c->limit_s))
		fprintf(out, "  at %s the provider takes all machines away\n",
			PL_TIME_TEXT(c->limit_s));
}

static void write_hours(const struct pl_hours *h, FILE *out)
{
	if (h->n_lives == 0)
		return;
	fprintf(out, "  started   machines  lost  expected  p\n");
	for (size_t k = 0; k < h->n; k++) {
		const struct pl_hours_band *b = &h->band[k];

		fprintf(out, "  %02zu to %02zu  %8zu %5zu  %8.1f  ", k * h->width,
			(k + 1) * h->width, b->n, b->lost, b->expected);
		if (isnan(b->p))
			fprintf(out, "-\n");
		else
			fprintf(out, "%.2g\n", b->p);
	}
	if (h->best < h->n)
		fprintf(out, "  start machines from %02zu to %02zu: %.2f of the losses expected\n",
			h->best * h->width, (h->best + 1) * h->width,
			(double)h->band[h->best].lost / h->band[h->best].expected);
	else
		fprintf(out, "  at no hours are so few lost that chance would not explain it\n");
}

static json_t *hours_json(const struct pl_hours *h)
{
	json_t *bands = json_array();

	for (size_t k = 0; h->n_lives && k < h->n; k++)
		pl_list_add(&bands,
			    json_pack("{sI sI sI sf so sb}", "from", (json_int_t)(k * h->width),
				      "machines", (json_int_t)h->band[k].n, "lost",
				      (json_int_t)h->band[k].lost, "expected", h->band[k].expected,
				      "p", pl_tool_json_number(h->band[k].p), "advised",
				      k == h->best));
	return bands;
}

static json_t *mean_json(const struct pl_history_mean *mean)
{
	return json_pack("{so sI}", "mean_s", pl_tool_json_number(pl_history_mean_s(mean)), "n",
			 (json_int_t)mean->n);
}

static json_t *group_json(const struct pl_life_group *g, const struct pl_survival *c,
			  const struct pl_hours *hours)
{
	json_t *steps = json_array(), *start = json_object();

	for (size_t i = 0; i < c->n; i++)
		pl_list_add(&steps, json_pack("{sf sf sf}", "age_s", c->s[i], "taken",
					      1 - c->left[i], "error", c->spread[i]));
	for (int i = 0; i < PL_START_STAGES; i++)
		pl_obj_set(&start, pl_start_stage_name[i], mean_json(&g->stage[i]));
	return json_pack("{ss ss sI sI sf so so so so so so so so so}", "type", g->type, "region",
			 g->region, "machines", (json_int_t)g->n, "lost", (json_int_t)g->n_lost,
			 "held_s", g->held_s, "mean_life_s",
			 g->n ? pl_tool_json_number(pl_survival_mean_s(c)) : json_null(), "limit_s",
			 pl_tool_json_number(c->limit_s), "curve", steps, "hours",
			 hours_json(hours), "stages", start, "launch", mean_json(&g->launch),
			 "cold", mean_json(&g->cold), "warm", mean_json(&g->warm), "price_per_hour",
			 pl_tool_json_number(pl_prices_mean(&g->prices)));
}

struct curves {
	const struct options *o;
	struct pl_lifetimes l;
};

/* Groups of which only launches are known have no curve. */
static int write_all(const void *curves, FILE *out, struct pl_err *err)
{
	const struct options *o = ((const struct curves *)curves)->o;
	const struct pl_lifetimes *l = &((const struct curves *)curves)->l;
	json_t *groups = json_array();
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		const struct pl_life_group *g = &l->group[i];
		struct pl_survival c = {.limit_s = INFINITY};
		struct pl_hours hours;

		if (g->n)
			rc = pl_survival_make(&c, g, l->limit_s, err);
		if (rc == 0)
			rc = pl_hours_make(&hours, g, o->hours, err);
		if (rc == 0 && o->json)
			pl_list_add(&groups, group_json(g, &c, &hours));
		if (rc == 0 && !o->json && g->n)
			write_curve(g, &c, out);
		else if (rc == 0 && !o->json)
			fprintf(out, "%s %s: no lifetime is known\n", g->type, g->region);
		if (rc == 0 && !o->json) {
			write_hours(&hours, out);
			write_start(g, out);
		}
		pl_survival_fini(&c);
	}
	if (rc || !o->json) {
		json_decref(groups);
		return rc;
	}
	return pl_tool_json_write(SPOT_TOOL, json_pack("{so}", "groups", groups), out, err);
}

int spot_curve_main(int argc, char **argv)
{
	struct options o;
	struct curves c = {.o = &o};
	struct pl_err err = {0};
	int status = parse_options(&o, argc, argv);

	if (status != PL_EXIT_DONE || o.done)
		return status;
	if (spot_sources_read(&c.l, &o.from, &err))
		return pl_tool_fail(SPOT_TOOL, &err);
	if (o.picture && spot_picture_curves(o.picture, &c.l, &err))
		status = pl_tool_fail(SPOT_TOOL, &err);
	else
		status = pl_tool_output(SPOT_TOOL, o.output, write_all, &c);
	pl_lifetimes_fini(&c.l);
	return status;
}

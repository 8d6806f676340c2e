/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - plink-rack levels: does an aggregator in each rack pay? */
#include "config.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "base/text/size.h"
#include "planner/rack/levels.h"
#include "src/common/tool.h"
#include "src/rack/rack.h"
#include "topology/places.h"
#include "topology/rates.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define COUNT_MAX 1000000

/* Strings are borrowed from argv; 0 and NULL: not given. Rates are in bits a
 * second. */
struct options {
	struct rack_output output;
	const char *matrix, *groups;
	uint64_t racks, workers, size_bytes;
	double hub_bps, card_bps, uplink_bps, between_s;
};

struct answer {
	const struct options *o;
	struct pl_rack_levels in;
	struct pl_rack_levels_time s_per_byte;
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"hub", required_argument, 0, pl_take_rate, AT(hub_bps)},
	{"matrix", required_argument, 0, pl_take_filled, AT(matrix)},
	{"groups", required_argument, 0, pl_take_filled, AT(groups)},
	{"racks", required_argument, 0, pl_take_whole, AT(racks),
	 1, COUNT_MAX},
	{"workers", required_argument, 0, pl_take_whole, AT(workers),
	 1, COUNT_MAX},
	{"card", required_argument, 0, pl_take_rate, AT(card_bps)},
	{"uplink", required_argument, 0, pl_take_rate, AT(uplink_bps)},
	{"between", required_argument, 0, pl_take_seconds, AT(between_s),
	 .least = 1e-9, .most = 1e6},
	{"size", required_argument, 0, pl_take_size, AT(size_bytes), 1,
	 (uint64_t)1 << 50},
	{"json", no_argument, 0, pl_take_flag, AT(output.json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output.path)},
	{0},
};
/* clang-format on */

static int check(struct options *o, int n_arguments)
{
	const bool found = o->matrix || o->groups;

	if (n_arguments > 0)
		return pl_tool_usage(RACK_TOOL, "levels takes options only");
	if (o->hub_bps == 0)
		return pl_tool_usage(RACK_TOOL, "--hub is wanted");
	if (found && (o->racks || o->workers))
		return pl_tool_usage(RACK_TOOL,
				     "--%s has the racks: leave --racks and "
				     "--workers out",
				     o->groups ? "groups" : "matrix");
	if (!found && (!o->racks || !o->workers))
		return pl_tool_usage(RACK_TOOL, "--racks and --workers, --matrix or "
						"--groups are wanted");
	if (!o->matrix && (o->card_bps == 0 || o->uplink_bps == 0))
		return pl_tool_usage(RACK_TOOL, "--card and --uplink, or "
						"--matrix, are wanted");
	if (o->between_s > 0 && !o->size_bytes)
		return pl_tool_usage(RACK_TOOL, "--between needs --size");
	if (!o->size_bytes)
		o->size_bytes = (uint64_t)64 << 20;
	return pl_tool_spares(RACK_TOOL, o->output.path, o->matrix) ||
			       pl_tool_spares(RACK_TOOL, o->output.path, o->groups)
		       ? PL_EXIT_USAGE
		       : PL_EXIT_DONE;
}

/* Racks and the hosts of the largest; number[n] of each host's rack, below
 * @most. */
static int count(struct answer *a, const size_t *number, size_t n, size_t most, struct pl_err *err)
{
	size_t *hosts = pl_array_create(most, sizeof(*hosts));

	if (!hosts)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		if (hosts[number[i]]++ == 0)
			a->in.n_racks++;
	for (size_t k = 0; k < most; k++)
		if (hosts[k] > a->in.n_workers)
			a->in.n_workers = hosts[k];
	free(hosts);
	return 0;
}

static int take_groups(struct answer *a, struct pl_err *err)
{
	struct pl_places p = {0};
	size_t *number;
	int rc;

	if (pl_places_read(&p, a->o->groups, err))
		return -1;
	number = pl_array_create(p.n, sizeof(*number));
	rc = number ? 0 : pl_err_nomem(err);
	for (size_t i = 0; rc == 0 && i < p.n; i++)
		number[i] = p.host[i].node;
	if (rc == 0)
		rc = count(a, number, p.n, p.n_nodes, err);
	free(number);
	pl_places_fini(&p);
	return rc;
}

/* The least rates known; an uplink of which none is known limits nothing, and
 * carries what the cards of its rack can send. */
static void take_rates(struct answer *a, const struct pl_tiers *t)
{
	double card = INFINITY, uplink = INFINITY;

	for (size_t h = 0; h < t->n; h++)
		if (t->card[h].out_bps > 0)
			card = fmin(card, t->card[h].out_bps);
	for (size_t g = 0; g < t->n_groups; g++)
		if (pl_tiers_is_rack(t, g) && t->uplink[g].out_bps > 0)
			uplink = fmin(uplink, t->uplink[g].out_bps);
	if (a->in.worker == 0 && isfinite(card))
		a->in.worker = card / 8;
	if (a->in.core == 0)
		a->in.core = isfinite(uplink) ? uplink / 8 : a->in.worker * (double)a->in.n_workers;
}

static int take_tiers(struct answer *a, const struct pl_tiers *t, struct pl_err *err)
{
	if (a->in.n_racks == 0 && t->n_groups == 0)
		return pl_err_set(err, PL_EINPUT, "%s: no racks are known", a->o->matrix);
	if (a->in.n_racks == 0 && count(a, t->rack, t->n, t->n_groups, err))
		return -1;
	take_rates(a, t);
	if (a->in.worker > 0)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s: no rates are known (plink-probe --bandwidth "
			  "measures them, --card tells one)",
			  a->o->matrix);
}

static int take_matrix(struct answer *a, struct pl_err *err)
{
	struct pl_matrix *m = pl_matrix_read(a->o->matrix, NULL, err);
	char text[PL_RATES_TEXT] = "";
	struct pl_tiers t = {0};
	int rc = -1;

	if (m && pl_rates_complete(m, text, err) == 0 && pl_tiers_read(&t, m, err) == 0)
		rc = take_tiers(a, &t, err);
	if (text[0])
		pl_tool_say(RACK_TOOL, PL_RATES_TOLD, text);
	pl_tiers_fini(&t);
	pl_matrix_destroy(m);
	return rc;
}

static int find(struct answer *a, struct pl_err *err)
{
	const struct options *o = a->o;

	a->in = (struct pl_rack_levels){
		.n_racks = o->racks,
		.n_workers = o->workers,
		.core = o->uplink_bps / 8,
		.hub = o->hub_bps / 8,
		.worker = o->card_bps / 8,
		.between_s_per_byte =
			o->between_s > 0 ? o->between_s / (double)o->size_bytes : NAN};
	if ((o->groups && take_groups(a, err)) || (o->matrix && take_matrix(a, err)))
		return -1;
	a->s_per_byte = pl_rack_levels_judge(&a->in);
	return 0;
}

static double seconds(const struct answer *a, double s_per_byte)
{
	return s_per_byte * (double)a->o->size_bytes;
}

static int write_text(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	const struct pl_rack_levels_time *t = &a->s_per_byte;
	char rate[3][PL_RATE_CHARS], size[PL_SIZE_CHARS];

	fprintf(out,
		"%zu racks of %zu workers; cards %s, uplinks %s, hubs %s; %s "
		"of gradients\n",
		a->in.n_racks, a->in.n_workers, pl_rate_format(rate[0], 8 * a->in.worker),
		pl_rate_format(rate[1], 8 * a->in.core), pl_rate_format(rate[2], 8 * a->in.hub),
		pl_size_format(size, a->o->size_bytes));
	fprintf(out, "between racks without hubs   %s\n", PL_TIME_TEXT(seconds(a, t->flat)));
	fprintf(out, "in racks, by their hubs      %s\n", PL_TIME_TEXT(seconds(a, t->local)));
	fprintf(out, "between the hubs             %s\n", PL_TIME_TEXT(seconds(a, t->between)));
	if (t->pays)
		fprintf(out, "a hub in each rack pays: %.3g times as fast\n",
			t->flat / (t->local + t->between));
	else
		fputs("a hub in each rack does not pay\n", out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static int write_json(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	const struct pl_rack_levels_time *t = &a->s_per_byte;

	json_t *all = json_pack(
		"{sI sI sf sf sf sI sf sf sf sb}", "racks", (json_int_t)a->in.n_racks, "workers",
		(json_int_t)a->in.n_workers, "card_bits_per_s", 8 * a->in.worker,
		"uplink_bits_per_s", 8 * a->in.core, "hub_bits_per_s", 8 * a->in.hub, "bytes",
		(json_int_t)a->o->size_bytes, "flat_s", seconds(a, t->flat), "local_s",
		seconds(a, t->local), "between_s", seconds(a, t->between), "pays", t->pays);

	return pl_tool_json_write(RACK_TOOL, all, out, err);
}

int rack_levels_main(int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = RACK_TOOL, .option = table, .help = rack_levels_help};
	struct options o = {0};
	struct answer a = {.o = &o};
	struct pl_err err = {0};
	int status = pl_options_parse(&options, argc, argv, &o, &o.output.done);

	if (status == PL_EXIT_DONE && !o.output.done)
		status = check(&o, argc - optind);
	if (status != PL_EXIT_DONE || o.output.done)
		return status;
	if (find(&a, &err))
		return pl_tool_fail(RACK_TOOL, &err);
	status = pl_tool_output(RACK_TOOL, o.output.path, o.output.json ? write_json : write_text,
				&a);
	return status == PL_EXIT_DONE && !a.s_per_byte.pays ? PL_EXIT_PARTIAL : status;
}

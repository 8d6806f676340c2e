/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.c - plink-srift need, levels and cost: what hosts that add up gradients must carry, gain and
 * cost */
#include "config.h"

#include "base/matrix/tiers.h"
#include "base/text/size.h"
#include "planner/srift/comm/comm-hubs.h"
#include "planner/srift/comm/hub-costs.h"
#include "src/common/json.h"
#include "src/srift/plans.h"
#include "src/srift/verbs.h"

#include <math.h>

/* A question and its answer. Strings are borrowed from argv; 0 and NULL: not given. */
struct hubs {
	const struct verb *verb;
	const char *matrix, *prices, *output;
	bool json, done;
	size_t n, bytes; /* hubs, gradients */
	double iteration_s;
	struct pl_rack_hubs rack; /* of need: workers, and the cards */
	double alone_s, helped_s; /* of an exchange; NaN: not asked for */
	struct pl_deploys cost;
	bool no; /* the answer */
};

struct verb {
	struct pl_options options;
	const char *takes;                               /* for a wrong number of files */
	int (*find)(struct hubs *h, struct pl_err *err); /* 0, or -1 */
	void (*text)(const struct hubs *h, FILE *out);
	json_t *(*json)(const struct hubs *h); /* NULL: no memory */
};

/* ---- need: what parameter servers must carry ---- */

static const struct {
	const char *brief, *name;
} server[PL_SERVERS] = {
	[PL_SERVER_CC] = {"CC", "colocated, central"},
	[PL_SERVER_CS] = {"CS", "colocated, sharded"},
	[PL_SERVER_NCC] = {"NCC", "not colocated, central"},
	[PL_SERVER_NCS] = {"NCS", "not colocated, sharded"},
};

static double bps(const struct hubs *h, int k)
{
	return pl_server_need((enum pl_server)k, h->rack.n_workers,
			      8 * (double)h->bytes / h->iteration_s);
}

/* A card moves as much in each direction. */
static bool is_hidden(const struct hubs *h, int k)
{
	return 2 * h->rack.worker >= bps(h, k);
}

static int need(struct hubs *h, struct pl_err *err)
{
	const struct pl_rack_hubs *r = &h->rack;
	const double hub = r->hub > 0 ? r->hub : r->worker;
	const double bits = 8 * (double)h->bytes;

	if (!r->n_workers || !h->bytes || h->iteration_s == 0)
		return pl_err_set(err, PL_EUSAGE, "--workers, --size and --iteration are wanted");
	if ((h->n && r->worker == 0) || (r->hub > 0 && !h->n))
		return pl_err_set(err, PL_EUSAGE, "--hub needs --hubs, and that needs --card");
	h->alone_s = h->helped_s = NAN;
	if (r->worker > 0)
		h->alone_s = pl_comm_hubs_s(r->n_workers, 0, bits, r->worker);
	if (h->n)
		h->helped_s = pl_comm_hubs_s(r->n_workers, (double)h->n * hub / r->worker, bits,
					     r->worker);
	return 0;
}

static void need_text(const struct hubs *h, FILE *out)
{
	const double card = h->rack.worker;
	char rate[PL_RATE_CHARS];

	fprintf(out, "%zu workers, %.4g MB of gradients in iterations of %s\n", h->rack.n_workers,
		(double)h->bytes / 1e6, PL_TIME_TEXT(h->iteration_s));
	for (int k = 0; k < PL_SERVERS; k++)
		fprintf(out, "%-4s %-24s %10.4g Gbit/s%s\n", server[k].brief, server[k].name,
			bps(h, k) / 1e9,
			card == 0         ? ""
			: is_hidden(h, k) ? "  hidden"
					  : "  not hidden");
	if (card > 0)
		fprintf(out, "an exchange by cards of %s takes %s", pl_rate_format(rate, card),
			PL_TIME_TEXT(h->alone_s));
	if (h->n)
		fprintf(out, "; with %zu hubs %s: %.3g times as fast", h->n,
			PL_TIME_TEXT(h->helped_s), h->alone_s / h->helped_s);
	fputs(card > 0 ? "\n" : "", out);
}

static json_t *need_json(const struct hubs *h)
{
	json_t *all = json_array();

	for (int k = 0; k < PL_SERVERS; k++)
		pl_list_add(&all, json_pack("{ss ss sf so}", "kind", server[k].brief, "name",
					    server[k].name, "bits_per_s", bps(h, k), "hidden",
					    h->rack.worker > 0 ? json_boolean(is_hidden(h, k))
							       : json_null()));
	return json_pack("{sI sI sf so so so}", "workers", (json_int_t)h->rack.n_workers, "bytes",
			 (json_int_t)h->bytes, "iteration_s", h->iteration_s, "servers", all,
			 "exchange_s", pl_tool_json_number(h->alone_s), "exchange_with_hubs_s",
			 pl_tool_json_number(h->helped_s));
}

/* ---- levels: does a hub in each rack pay? ---- */

/* What is not told: racks and the hosts of the largest, the least rates known. An uplink of which
 * none is known limits nothing, and carries what the cards of its rack can send. */
static void take_tiers(struct pl_rack_hubs *r, const struct pl_tiers *t)
{
	double card = INFINITY, uplink = INFINITY;
	size_t most = 0;

	for (size_t g = 0; g < t->n_groups; g++) {
		size_t n = 0;

		for (size_t h = 0; h < t->n; h++)
			n += t->rack[h] == g;
		most = n > most ? n : most;
		if (n > 0 && t->uplink[g].out_bps > 0)
			uplink = fmin(uplink, t->uplink[g].out_bps);
	}
	for (size_t h = 0; h < t->n; h++)
		if (t->card[h].out_bps > 0)
			card = fmin(card, t->card[h].out_bps);
	if (!r->n_racks)
		r->n_racks = pl_tiers_racks(t);
	if (!r->n_workers)
		r->n_workers = most;
	if (r->worker == 0 && isfinite(card))
		r->worker = card;
	if (r->core == 0)
		r->core = isfinite(uplink) ? uplink : r->worker * (double)r->n_workers;
}

static int take_matrix(struct hubs *h, struct pl_err *err)
{
	const struct srift_options o = {.matrix = h->matrix};
	struct pl_rack_hubs *r = &h->rack;
	struct pl_matrix *m = srift_matrix_read(&o, err);
	struct pl_tiers t = {0};
	int rc = m ? pl_tiers_read(&t, m, err) : -1;

	if (rc == 0)
		take_tiers(r, &t);
	if (rc == 0 && (!r->n_racks || !r->n_workers))
		rc = pl_err_set(err, PL_EINPUT, "%s: no racks are known", h->matrix);
	else if (rc == 0 && r->worker == 0)
		rc = pl_err_set(err, PL_EINPUT,
				"%s: no rates are known (plink-probe measures them, "
				"--card tells one)",
				h->matrix);
	pl_tiers_fini(&t);
	pl_matrix_destroy(m);
	return rc;
}

static int levels(struct hubs *h, struct pl_err *err)
{
	struct pl_rack_hubs *r = &h->rack;

	if (r->hub == 0 ||
	    (!h->matrix && (!r->n_racks || !r->n_workers || r->worker == 0 || r->core == 0)))
		return pl_err_set(err, PL_EUSAGE,
				  "--hub is wanted, and --matrix or all of --racks, --workers, "
				  "--card and --uplink");
	if (!h->bytes)
		h->bytes = 64 << 20;
	r->bits = 8 * (double)h->bytes;
	if (h->matrix && take_matrix(h, err))
		return -1;
	pl_rack_hubs_judge(r);
	h->no = !r->pays;
	return 0;
}

static void levels_text(const struct hubs *h, FILE *out)
{
	const struct pl_rack_hubs *r = &h->rack;
	char rate[3][PL_RATE_CHARS], size[PL_SIZE_CHARS];

	fprintf(out,
		"%zu racks of %zu workers; cards %s, uplinks %s, hubs %s; %s of gradients\n"
		"between racks without hubs   %s\n"
		"in racks, by their hubs      %s\n"
		"between the hubs             %s\n",
		r->n_racks, r->n_workers, pl_rate_format(rate[0], r->worker),
		pl_rate_format(rate[1], r->core), pl_rate_format(rate[2], r->hub),
		pl_size_format(size, h->bytes), PL_TIME_TEXT(r->flat_s), PL_TIME_TEXT(r->local_s),
		PL_TIME_TEXT(r->between_s));
	if (r->pays)
		fprintf(out, "a hub in each rack pays: %.3g times as fast\n",
			r->flat_s / (r->local_s + r->between_s));
	else
		fputs("a hub in each rack does not pay\n", out);
}

static json_t *levels_json(const struct hubs *h)
{
	const struct pl_rack_hubs *r = &h->rack;

	return json_pack("{sI sI sf sf sf sI sf sf sf sb}", "racks", (json_int_t)r->n_racks,
			 "workers", (json_int_t)r->n_workers, "card_bits_per_s", r->worker,
			 "uplink_bits_per_s", r->core, "hub_bits_per_s", r->hub, "bytes",
			 (json_int_t)h->bytes, "flat_s", r->flat_s, "local_s", r->local_s,
			 "between_s", r->between_s, "pays", r->pays);
}

/* ---- cost: samples a second for a dollar ---- */

static int cost(struct hubs *h, struct pl_err *err)
{
	return pl_deploys_read(&h->cost, h->prices, err);
}

static void cost_text(const struct hubs *h, FILE *out)
{
	const struct pl_deploy *first = h->cost.v, *end = first + h->cost.n;
	const char *why = NULL;

	fprintf(out, "%-20s %4s %8s %8s %10s %10s %10s %9s %6s %9s\n", "deployment", "hubs",
		"uplinks", "workers", "network $", "hubs $", "worker $", "per 1000$", "ratio",
		"reported");
	for (const struct pl_deploy *d = first; d < end; d++) {
		fprintf(out, "%-20s %4g %6.4g:1 %8g %10.2f %10.2f %10.2f", d->name, d->hubs,
			d->ratio, d->workers, d->network, d->hub, d->worker);
		fprintf(out, " %9.2f %6.2f", d->per_1000, d->per_1000 / first->per_1000);
		if (!isnan(d->reported))
			fprintf(out, " %9.2f", d->reported);
		fputc('\n', out);
	}
	for (const struct pl_deploy *d = first; d < end; why = d++->why)
		if (d->why && d->why != why)
			fprintf(out, "%s: %s\n", d->name, d->why);
}

static json_t *cost_json(const struct hubs *h)
{
	json_t *rows = json_array(), *row;

	for (size_t i = 0; i < h->cost.n; i++) {
		const struct pl_deploy *d = &h->cost.v[i];

		row = json_pack("{ss sI sf sI sf sf sf sf so ss?}", "deployment", d->name, "hubs",
				(json_int_t)d->hubs, "oversubscription", d->ratio, "workers",
				(json_int_t)d->workers, "network_dollars", d->network,
				"hub_dollars", d->hub, "worker_dollars", d->worker,
				"per_1000_dollars", d->per_1000, "reported",
				pl_tool_json_number(d->reported), "why", d->why);
		pl_list_add(&rows, row);
	}
	return json_pack("{so}", "rows", rows);
}

/* ---- the command lines ---- */

#define AT(member) PL_OPTION_AT(struct hubs, member)
#define ROW(name, take, member, ...)                                                               \
	{                                                                                          \
		name, required_argument, 0, take, AT(member), __VA_ARGS__                          \
	}
#define COUNT(name, member, least) ROW(name, pl_take_whole, member, least, 1000000)
#define RATE(name, member) ROW(name, pl_take_rate, member, 0)
#define SIZE ROW("size", pl_take_size, bytes, 1, (uint64_t)1 << 50)

/* clang-format off */
#define OUTPUT_ROWS \
	{"json", no_argument, 0, pl_take_flag, AT(json)}, \
	{"output", required_argument, 'o', pl_take_filled, AT(output)}, \
	{0}

static const struct pl_option need_table[] = {
	COUNT("workers", rack.n_workers, 2),
	SIZE,
	ROW("iteration", pl_take_seconds, iteration_s,
	    .least = 1e-6, .most = 1e6),
	RATE("card", rack.worker),
	COUNT("hubs", n, 1),
	RATE("hub", rack.hub),
	OUTPUT_ROWS
};

static const struct pl_option levels_table[] = {
	RATE("hub", rack.hub),
	ROW("matrix", pl_take_filled, matrix, 0),
	COUNT("racks", rack.n_racks, 1),
	COUNT("workers", rack.n_workers, 1),
	RATE("card", rack.worker),
	RATE("uplink", rack.core),
	SIZE,
	OUTPUT_ROWS
};

static const struct pl_option cost_table[] = {OUTPUT_ROWS};

static const struct verb verbs[] = {
	{{SRIFT_TOOL, need_table, .help = srift_need_help},
	 "need takes options only", need, need_text, need_json},
	{{SRIFT_TOOL, levels_table, .help = srift_levels_help},
	 "levels takes options only", levels, levels_text, levels_json},
	{{SRIFT_TOOL, cost_table, .help = srift_cost_help},
	 "cost takes one file of prices", cost, cost_text, cost_json},
};
/* clang-format on */

static int write_answer(const void *answer, FILE *out, struct pl_err *err)
{
	const struct hubs *h = answer;

	if (h->json)
		return pl_tool_json_write(SRIFT_TOOL, h->verb->json(h), out, err);
	h->verb->text(h, out);
	return 0;
}

static int run(const struct verb *verb, int argc, char **argv)
{
	struct hubs h = {.verb = verb};
	struct pl_err err = {0};
	int status = pl_options_parse(&verb->options, argc, argv, &h, &h.done);

	if (status != PL_EXIT_DONE || h.done)
		return status;
	h.prices = argv[optind];
	if (argc - optind != (verb->find == cost))
		return srift_usage("%s", verb->takes);
	if (pl_tool_spares(SRIFT_TOOL, h.output, h.matrix) ||
	    pl_tool_spares(SRIFT_TOOL, h.output, h.prices))
		return PL_EXIT_USAGE;
	if (verb->find(&h, &err))
		status = err.code == PL_EUSAGE ? srift_usage("%s", err.text)
					       : pl_tool_fail(SRIFT_TOOL, &err);
	else
		status = pl_tool_output(SRIFT_TOOL, h.output, write_answer, &h);
	pl_deploys_fini(&h.cost);
	return status == PL_EXIT_DONE && h.no ? PL_EXIT_PARTIAL : status;
}

int srift_need(int argc, char **argv)
{
	return run(&verbs[0], argc, argv);
}

int srift_levels(int argc, char **argv)
{
	return run(&verbs[1], argc, argv);
}

int srift_cost(int argc, char **argv)
{
	return run(&verbs[2], argc, argv);
}

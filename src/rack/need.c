/* SPDX-License-Identifier: BSD-3-Clause */
/* need.c - plink-rack need: what parameter servers must carry */
#include "config.h"

#include "base/text/size.h"
#include "planner/rack/need.h"
#include "planner/srift/profile/profile.h"
#include "src/common/tool.h"
#include "src/rack/rack.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WORKERS_MAX 1000000
#define GIGA 1e9

/* Strings are borrowed from argv; 0 and NULL: not given. */
struct options {
	struct rack_output output;
	uint64_t workers, size_bytes, hubs;
	double iteration_s, batch, card_bps, hub_bps;
	double memory_gb, used_gb, adds_g;
	const char *profile, *instance;
};

struct answer {
	const struct options *o;
	double bytes, seconds; /* of the job: S and T */
	double need_bps[PL_RACK_SERVERS];
	double alone_s, helped_s; /* of an exchange; NaN: not asked for */
};

#define AT(member) PL_OPTION_AT(struct options, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"workers", required_argument, 0, pl_take_whole, AT(workers),
	 2, WORKERS_MAX},
	{"size", required_argument, 0, pl_take_size, AT(size_bytes), 1,
	 (uint64_t)1 << 50},
	{"iteration", required_argument, 0, pl_take_seconds, AT(iteration_s),
	 .least = 1e-6, .most = 1e6},
	{"profile", required_argument, 0, pl_take_filled, AT(profile)},
	{"instance", required_argument, 0, pl_take_filled, AT(instance)},
	{"batch", required_argument, 0, pl_take_number, AT(batch),
	 .least = 1, .most = 1e9},
	{"card", required_argument, 0, pl_take_rate, AT(card_bps)},
	{"hubs", required_argument, 0, pl_take_whole, AT(hubs),
	 1, WORKERS_MAX},
	{"hub", required_argument, 0, pl_take_rate, AT(hub_bps)},
	{"memory", required_argument, 0, pl_take_number, AT(memory_gb),
	 .least = 1e-3, .most = 1e6},
	{"memory-used", required_argument, 0, pl_take_number, AT(used_gb),
	 .least = 1e-3, .most = 1e6},
	{"adds", required_argument, 0, pl_take_number, AT(adds_g),
	 .least = 1e-6, .most = 1e9},
	{"json", no_argument, 0, pl_take_flag, AT(output.json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output.path)},
	{0},
};
/* clang-format on */

static int check(const struct options *o, int n_arguments)
{
	if (n_arguments > 0)
		return pl_tool_usage(RACK_TOOL, "need takes options only");
	if (!o->workers)
		return pl_tool_usage(RACK_TOOL, "--workers is wanted");
	if (o->profile && (o->size_bytes || o->iteration_s > 0))
		return pl_tool_usage(RACK_TOOL, "--profile has the sizes and times: leave "
						"--size and --iteration out");
	if (!o->profile && (o->instance || o->batch > 0))
		return pl_tool_usage(RACK_TOOL, "--instance and --batch need --profile");
	if (!o->profile && (!o->size_bytes || o->iteration_s == 0))
		return pl_tool_usage(RACK_TOOL, "--size and --iteration, or "
						"--profile, are wanted");
	if (o->hubs && o->card_bps == 0)
		return pl_tool_usage(RACK_TOOL, "--hubs needs --card");
	if (o->hub_bps > 0 && !o->hubs)
		return pl_tool_usage(RACK_TOOL, "--hub needs --hubs");
	if ((o->memory_gb > 0) != (o->used_gb > 0))
		return pl_tool_usage(RACK_TOOL, "--memory and --memory-used "
						"belong together");
	return pl_tool_spares(RACK_TOOL, o->output.path, o->profile);
}

static int take_profile(struct answer *a, struct pl_profile *p, struct pl_err *err)
{
	const struct options *o = a->o;
	const struct pl_profile_instance *in = p->instance;
	double batch = o->batch;

	if (o->instance)
		in = pl_profile_find(p, o->instance, strlen(o->instance));
	if (!in)
		return pl_err_set(err, PL_EINPUT, "%s: no instance \"%s\"", o->profile,
				  o->instance);
	if (batch == 0)
		batch = in->forward.batch[in->forward.n - 1];
	a->seconds =
		pl_profile_seconds(&in->forward, batch) + pl_profile_seconds(&in->backward, batch);
	for (size_t i = 0; i < p->n_layers; i++)
		a->bytes += (double)p->layer[i].bytes;
	if (a->bytes > 0 && a->seconds > 0)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s: a model without gradients, or %g samples that "
			  "take no time",
			  o->profile, batch);
}

static int find(struct answer *a, struct pl_err *err)
{
	const struct options *o = a->o;
	struct pl_profile p = {0};
	int rc = 0;

	a->bytes = (double)o->size_bytes;
	a->seconds = o->iteration_s;
	if (o->profile)
		rc = pl_profile_read(&p, o->profile, err) || take_profile(a, &p, err) ? -1 : 0;
	pl_profile_fini(&p);
	for (int k = 0; rc == 0 && k < PL_RACK_SERVERS; k++)
		a->need_bps[k] =
			pl_rack_need((enum pl_rack_server)k, o->workers, 8 * a->bytes / a->seconds);
	if (rc == 0 && o->card_bps > 0) {
		const double hub = o->hub_bps > 0 ? o->hub_bps : o->card_bps;

		a->alone_s = pl_rack_exchange_s(o->workers, 0, a->bytes, o->card_bps / 8);
		a->helped_s = pl_rack_exchange_s(o->workers, (double)o->hubs * hub / o->card_bps,
						 a->bytes, o->card_bps / 8);
	}
	return rc;
}

/* A card moves as much in each direction. */
static bool is_enough(const struct answer *a, enum pl_rack_server kind)
{
	return 2 * a->o->card_bps >= a->need_bps[kind];
}

static int write_text(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	const struct options *o = a->o;
	char rate[PL_RATE_CHARS];

	fprintf(out,
		"%" PRIu64 " workers, %.4g MB of gradients in iterations of "
		"%s\n",
		o->workers, a->bytes / 1e6, PL_TIME_TEXT(a->seconds));
	for (int k = 0; k < PL_RACK_SERVERS; k++) {
		fprintf(out, "%-4s %-24s %10.4g Gbit/s",
			pl_rack_server_short((enum pl_rack_server)k),
			pl_rack_server_name((enum pl_rack_server)k), a->need_bps[k] / GIGA);
		if (o->card_bps > 0)
			fprintf(out, "  %s",
				is_enough(a, (enum pl_rack_server)k) ? "hidden" : "not hidden");
		fputc('\n', out);
	}
	if (o->card_bps > 0)
		fprintf(out, "an exchange by cards of %s takes %s",
			pl_rate_format(rate, o->card_bps), PL_TIME_TEXT(a->alone_s));
	if (o->hubs)
		fprintf(out, "; with %" PRIu64 " hubs %s: %.3g times as fast", o->hubs,
			PL_TIME_TEXT(a->helped_s), a->alone_s / a->helped_s);
	if (o->card_bps > 0)
		fputc('\n', out);
	if (o->memory_gb > 0)
		fprintf(out, "the server's memory has room for %zu workers\n",
			pl_rack_room(o->memory_gb, o->used_gb, o->workers));
	if (o->adds_g > 0)
		fprintf(out,
			"%.4g thousand million additions a second need "
			"%.4g TB/s of memory\n",
			o->adds_g, pl_rack_adding_bytes(o->adds_g * GIGA) / 1e12);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static int write_json(const void *answer, FILE *out, struct pl_err *err)
{
	const struct answer *a = answer;
	const struct options *o = a->o;
	json_t *servers = json_array(), *all;

	for (int k = 0; k < PL_RACK_SERVERS; k++)
		pl_list_add(&servers,
			    json_pack("{ss ss sf so}", "kind",
				      pl_rack_server_short((enum pl_rack_server)k), "name",
				      pl_rack_server_name((enum pl_rack_server)k), "bits_per_s",
				      a->need_bps[k], "hidden",
				      o->card_bps == 0                       ? json_null()
				      : is_enough(a, (enum pl_rack_server)k) ? json_true()
									     : json_false()));
	all = json_pack("{sI sf sf so}", "workers", (json_int_t)o->workers, "bytes", a->bytes,
			"iteration_s", a->seconds, "servers", servers);
	if (o->card_bps > 0) {
		pl_obj_set(&all, "exchange_s", json_real(a->alone_s));
		pl_obj_set(&all, "exchange_with_hubs_s",
			   o->hubs ? json_real(a->helped_s) : json_null());
	}
	if (o->memory_gb > 0)
		pl_obj_set(&all, "room_workers",
			   pl_tool_json_whole(pl_rack_room(o->memory_gb, o->used_gb, o->workers)));
	if (o->adds_g > 0)
		pl_obj_set(&all, "adding_bytes_per_s",
			   json_real(pl_rack_adding_bytes(o->adds_g * GIGA)));
	return pl_tool_json_write(RACK_TOOL, all, out, err);
}

int rack_need_main(int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = RACK_TOOL, .option = table, .help = rack_need_help};
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
	return pl_tool_output(RACK_TOOL, o.output.path, o.output.json ? write_json : write_text,
			      &a);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.c - plink-stalls predict: steps and stalls, predicted beside
 * measured */
#include "config.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "planner/srift/comm/busbw.h"
#include "planner/stalls/parts.h"
#include "planner/stalls/predicted.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char help[] =
"Usage: plink-stalls predict --profile=FILE [OPTION]... FILE\n"
"Predicts t1, t2 and t5 of the model of a profile (plink-profile(5)), and the\n"
"stalls between them, beside those that were measured (plink-stalls(5)).\n"
"\n"
"  --profile=FILE       compute times of the model on these types of machines\n"
"  --inside=FILE|RATE   for t2: bus bandwidths of all-reduces between the GPUs of\n"
"                       a machine, from nccl-tests; or one rate, as in 1200Gbit\n"
"  --between=FILE|RATE  for t5: the same between the machines\n"
"  --json               JSON instead of text\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

/* A network as it is given, and its model. */
struct net {
	const char *given; /* borrowed from argv; NULL: not known */
	struct pl_busbw table;
	struct pl_comm comm;
};

struct predict {
	const char *input, *output, *profile_path; /* borrowed from argv */
	bool json;
	struct net inside, between;
	struct pl_profile profile;
	struct pl_stall_runs runs;
	/* [runs.n] the same with predicted times; borrow from them. Without a model: the profile is
	 * of another */
	struct pl_stall_run *predicted;
};

#define AT(member) PL_OPTION_AT(struct predict, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"profile", required_argument, 0, pl_take_filled, AT(profile_path)},
	{"inside", required_argument, 0, pl_take_filled, AT(inside.given)},
	{"between", required_argument, 0, pl_take_filled, AT(between.given)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int read_net(struct net *net, struct pl_err *err)
{
	double bps;

	if (!net->given)
		return 0;
	if (pl_rate_parse(net->given, &bps) == 0
		    ? pl_busbw_rate(&net->table, bps / 8, err)
		    : pl_busbw_read(&net->table, net->given, "DP", err))
		return -1;
	net->comm = pl_busbw_comm(&net->table);
	return 0;
}

/* All runs of the profile's model. */
static int predict_all(struct predict *p, struct pl_err *err)
{
	const struct pl_stall_nets nets = {
		.inside = p->inside.given ? &p->inside.comm : NULL,
		.between = p->between.given ? &p->between.comm : NULL,
	};
	size_t n = 0;

	p->predicted = pl_array_create(p->runs.n, sizeof(*p->predicted));
	if (!p->predicted)
		return pl_err_nomem(err);
	for (size_t i = 0; i < p->runs.n; i++) {
		const struct pl_stall_run *run = &p->runs.v[i];
		struct pl_err fault = {0};

		if (strcmp(run->model, p->profile.model) != 0)
			continue;
		p->predicted[i] = *run;
		n++;
		if (pl_stall_predict(p->predicted[i].t_s, run, &p->profile, &nets, &fault))
			return pl_err_set(err, fault.code, "%s on %s: %s", run->model, run->machine,
					  fault.text);
	}
	return n ? 0
		 : pl_err_set(err, PL_EINPUT,
			      "%s has no run of the model %s, which is that of %s (plink-stalls "
			      "run --model)",
			      p->input, p->profile.model, p->profile_path);
}

static int read_all(struct predict *p, struct pl_err *err)
{
	if (pl_profile_read(&p->profile, p->profile_path, err) || read_net(&p->inside, err) ||
	    read_net(&p->between, err) || pl_stall_runs_read(&p->runs, p->input, err))
		return -1;
	return predict_all(p, err);
}

static const enum pl_stall_step steps[] = {PL_STALL_T1, PL_STALL_T2, PL_STALL_T5};
static const enum pl_stall stalls[] = {PL_STALL_INTERCONNECT, PL_STALL_NETWORK};

/* A share, or a difference of shares. */
static void put_share(double share, const char *unit, FILE *out)
{
	char cell[PL_TIME_CHARS] = "-";

	if (!isnan(share))
		snprintf(cell, sizeof(cell), "%+.1f %s", 100 * share, unit);
	fprintf(out, "  %10s", cell);
}

static void put_time(double s, FILE *out)
{
	fprintf(out, "  %10s", isnan(s) ? "-" : PL_TIME_TEXT(s));
}

static void put_run(const struct pl_stall_run *run, const struct pl_stall_run *predicted, FILE *out)
{
	const struct pl_stall_parts was = pl_stall_parts_of(run);
	const struct pl_stall_parts will = pl_stall_parts_of(predicted);

	fprintf(out, "%s on %s\n%-13s  %10s  %10s  %10s\n", run->model, run->machine, "",
		"measured", "predicted", "error");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const double s = pl_stall_seconds(run, steps[i]);
		const double p_s = pl_stall_seconds(predicted, steps[i]);

		fprintf(out, "%-13s", pl_stall_step_name(steps[i]));
		put_time(s, out);
		put_time(p_s, out);
		put_share(p_s / s - 1, "%", out);
		fputc('\n', out);
	}
	for (size_t i = 0; i < sizeof(stalls) / sizeof(stalls[0]); i++) {
		fprintf(out, "%-13s", pl_stall_name(stalls[i]));
		put_share(was.share[stalls[i]], "%", out);
		put_share(will.share[stalls[i]], "%", out);
		put_share(will.share[stalls[i]] - was.share[stalls[i]], "pp", out);
		fputc('\n', out);
	}
}

static int write_text(const void *arg, FILE *out, struct pl_err *err)
{
	const struct predict *p = arg;
	const char *between = "";

	for (size_t i = 0; i < p->runs.n; i++) {
		if (!p->predicted[i].model)
			continue;
		fputs(between, out);
		put_run(&p->runs.v[i], &p->predicted[i], out);
		between = "\n";
	}
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static json_t *compared(double measured, double predicted)
{
	return json_pack("{so so}", "measured", pl_tool_json_number(measured), "predicted",
			 pl_tool_json_number(predicted));
}

static json_t *one(const struct pl_stall_run *run, const struct pl_stall_run *predicted)
{
	const struct pl_stall_parts was = pl_stall_parts_of(run);
	const struct pl_stall_parts will = pl_stall_parts_of(predicted);
	json_t *all = json_pack("{ss ss}", "model", run->model, "machine", run->machine);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		pl_obj_set(&all, pl_stall_step_name(steps[i]),
			   compared(pl_stall_seconds(run, steps[i]),
				    pl_stall_seconds(predicted, steps[i])));
	for (size_t i = 0; i < sizeof(stalls) / sizeof(stalls[0]); i++)
		pl_obj_set(&all, pl_stall_name(stalls[i]),
			   compared(was.share[stalls[i]], will.share[stalls[i]]));
	return all;
}

static int write_json(const void *arg, FILE *out, struct pl_err *err)
{
	const struct predict *p = arg;
	json_t *all = json_array();

	for (size_t i = 0; i < p->runs.n; i++)
		if (p->predicted[i].model)
			pl_list_add(&all, one(&p->runs.v[i], &p->predicted[i]));
	return pl_tool_json_write(STALLS_TOOL, json_pack("{so}", "runs", all), out, err);
}

static int parse(struct predict *p, int argc, char **argv, bool *done)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help};
	int status = pl_options_parse(&options, argc, argv, p, done);

	if (status != PL_EXIT_DONE || *done)
		return status;
	if (argc - optind != 1 || !p->profile_path)
		return pl_tool_usage(STALLS_TOOL,
				     "predict takes --profile and one file of measured steps");
	p->input = argv[optind];
	status = pl_tool_spares(STALLS_TOOL, p->output, p->input);
	return status ? status : pl_tool_spares(STALLS_TOOL, p->output, p->profile_path);
}

int stalls_predict(int argc, char **argv)
{
	struct predict p = {.json = false};
	struct pl_err err = {0};
	bool done = false;
	int status = parse(&p, argc, argv, &done);

	if (status != PL_EXIT_DONE || done)
		return status;
	if (read_all(&p, &err))
		status = pl_tool_fail(STALLS_TOOL, &err);
	else
		status =
			pl_tool_output(STALLS_TOOL, p.output, p.json ? write_json : write_text, &p);
	free(p.predicted);
	pl_stall_runs_fini(&p.runs);
	pl_profile_fini(&p.profile);
	pl_busbw_fini(&p.inside.table);
	pl_busbw_fini(&p.between.table);
	return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* what-if.c - plink-stalls what-if: training speed by how much of the data memory holds */
#include "config.h"

#include "base/text/kind.h"
#include "planner/stalls/workload.h"
#include "src/common/json.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/stalls/stalls.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 20)
#define SHARES 21 /* 0, 5, ... 100 % */
#define MEMORY_GIB_PER_S 10.0

/* clang-format off */
static const char help[] =
"Usage: plink-stalls what-if [OPTION]... FILE\n"
"Predicts how many samples are trained in a second with each share of the data\n"
"set in memory. FILE is the MODEL.json of DS-Analyzer, a workload of MLPerf\n"
"Storage (YAML), or measured steps (plink-stalls(5)) of one run with t2, t3, t4,\n"
"batch, samples and data-bytes.\n"
"\n"
"  --disk=N             rate of the storage in MiB/s (that of FILE); a workload of\n"
"                       MLPerf Storage needs it\n"
"  --memory=N           for all but MODEL.json: rate of the memory in GiB/s (10)\n"
"  --model-json=FILE    write the same as a MODEL.json of DS-Analyzer\n"
"  --json               JSON instead of text\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

struct what_if {
	const char *input, *output, *model_json; /* borrowed from argv */
	double memory_gib_per_s;
	double disk_mib_per_s; /* 0: not given */
	bool json, memory_given;
	struct pl_stall_store store;
};

#define AT(member) PL_OPTION_AT(struct what_if, member)

/* clang-format off */
static const struct pl_option table[] = {
	{"disk", required_argument, 0, pl_take_number, AT(disk_mib_per_s),
	 .least = 1e-3, .most = 1e9},
	{"memory", required_argument, 0, pl_take_number, AT(memory_gib_per_s),
	 .least = 1e-3, .most = 1e6,
	 .also = offsetof(struct what_if, memory_given)},
	{"model-json", required_argument, 0, pl_take_filled, AT(model_json)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

static int read_steps(struct what_if *w, struct pl_text *text, struct pl_err *err)
{
	struct pl_stall_runs runs = {0};
	int rc = pl_stall_runs_parse(&runs, text, err);

	if (rc)
		pl_kind_blame(text, PL_KIND_STALLS, err);
	if (rc == 0 && runs.n > 1)
		rc = pl_err_at(
			err,
			(struct pl_place){.file = text->name, .line = runs.v[1].line, .col = 1},
			"a second run: what-if wants a file with one");
	if (rc == 0)
		rc = pl_stall_store_of(&w->store, &runs.v[0], w->memory_gib_per_s, err);
	pl_stall_runs_fini(&runs);
	return rc;
}

static int read_workload(struct what_if *w, struct pl_text *text, struct pl_err *err)
{
	w->store.memory_gib_per_s = w->memory_gib_per_s;
	return w->disk_mib_per_s > 0 ? pl_stall_workload_parse(&w->store, text, err)
				     : pl_err_set(err, PL_EUSAGE,
						  "%s is a workload of MLPerf Storage: give "
						  "--disk, the rate of the storage in MiB/s",
						  w->input);
}

static int read_input(struct what_if *w, struct pl_err *err)
{
	struct pl_text text;
	bool model;
	int rc;

	if (pl_text_load(&text, w->input, TEXT_MAX, err))
		return -1;
	model = pl_stall_store_is(&text);
	if (model)
		rc = pl_stall_store_parse(&w->store, &text, err);
	else if (pl_stall_workload_is(&text))
		rc = read_workload(w, &text, err);
	else
		rc = read_steps(w, &text, err);
	pl_text_fini(&text);
	if (w->disk_mib_per_s > 0)
		w->store.disk_mib_per_s = w->disk_mib_per_s;
	if (rc == 0 && !model && !w->memory_given)
		pl_tool_say(STALLS_TOOL, "the memory is assumed to have %g GiB/s (--memory)",
			    w->memory_gib_per_s);
	return rc;
}

static void put_wanted(const struct pl_stall_store *store, FILE *out)
{
	const double wanted = pl_stall_cache_wanted(store);

	if (isnan(wanted))
		fputs("fetching is the limit even with all data in memory\n", out);
	else if (wanted == 0)
		fputs("storage is fast enough without memory\n", out);
	else
		fprintf(out, "memory for %.1f %% of the data (%.4g GiB) is enough\n", 100 * wanted,
			wanted * store->data_gib);
}

static int write_text(const void *arg, FILE *out, struct pl_err *err)
{
	const struct pl_stall_store *store = &((const struct what_if *)arg)->store;

	fprintf(out, "%-7s %14s %14s  %s\n", "cached", "fetched/s", "trained/s", "bound by");
	for (int i = 0; i < SHARES; i++) {
		const double cached = (double)i / (SHARES - 1);
		enum pl_stall_bound bound;
		const double trained = pl_stall_trained_per_s(store, cached, &bound);

		fprintf(out, "%5.0f %% %14.1f %14.1f  %s\n", 100 * cached,
			pl_stall_fetch_per_s(store, cached), trained, pl_stall_bound_name(bound));
	}
	put_wanted(store, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

static int write_json(const void *arg, FILE *out, struct pl_err *err)
{
	const struct pl_stall_store *store = &((const struct what_if *)arg)->store;
	json_t *all = json_array();

	for (int i = 0; i < SHARES; i++) {
		const double cached = (double)i / (SHARES - 1);
		enum pl_stall_bound bound;
		const double trained = pl_stall_trained_per_s(store, cached, &bound);

		pl_list_add(&all, json_pack("{sf sf sf ss}", "cached", cached, "fetched_per_s",
					    pl_stall_fetch_per_s(store, cached), "trained_per_s",
					    trained, "bound", pl_stall_bound_name(bound)));
	}
	return pl_tool_json_write(STALLS_TOOL,
				  json_pack("{so so}", "cache_wanted",
					    pl_tool_json_number(pl_stall_cache_wanted(store)),
					    "shares", all),
				  out, err);
}

static int write_model(const void *arg, FILE *out, struct pl_err *err)
{
	return pl_stall_store_write(&((const struct what_if *)arg)->store, out, err);
}

static int parse(struct what_if *w, int argc, char **argv, bool *done)
{
	static const struct pl_options options = {
		.tool = STALLS_TOOL, .option = table, .help = help};
	int status = pl_options_parse(&options, argc, argv, w, done);

	if (status != PL_EXIT_DONE || *done)
		return status;
	if (argc - optind != 1)
		return pl_tool_usage(STALLS_TOOL, "what-if takes one file");
	w->input = argv[optind];
	status = pl_tool_spares(STALLS_TOOL, w->output, w->input);
	return status ? status : pl_tool_spares(STALLS_TOOL, w->model_json, w->input);
}

int stalls_what_if(int argc, char **argv)
{
	struct what_if w = {.memory_gib_per_s = MEMORY_GIB_PER_S};
	struct pl_err err = {0};
	bool done = false;
	int status = parse(&w, argc, argv, &done);

	if (status != PL_EXIT_DONE || done)
		return status;
	if (read_input(&w, &err))
		return pl_tool_fail(STALLS_TOOL, &err);
	if (w.model_json)
		status = pl_tool_output(STALLS_TOOL, w.model_json, write_model, &w);
	return status ? status
		      : pl_tool_output(STALLS_TOOL, w.output, w.json ? write_json : write_text, &w);
}

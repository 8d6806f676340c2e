/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-batch */
#include "config.h"

#include "src/batch/batch.h"

#include "base/text/number.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/common/verbs.h"

#include <math.h>
#include <string.h>

#define DOLLARS_MAX 1e9

/* clang-format off */
static const char help[] =
"Usage: plink-batch noise [OPTION]... FILE...\n"
"       plink-batch model [OPTION]... FILE...\n"
"       plink-batch run [OPTION]... --state=FILE -- COMMAND...\n"
"Finds the number of workers and the batch for a training: the fastest choice,\n"
"the cheapest one, and the knee between them.\n"
"\n"
"noise: how much the gradients of workers differ, from logs of their norms\n"
"model: the choice, from measured points (see plink-batch(1))\n"
"run: measures points with short jobs first; after an interrupt, the same\n"
"command continues from the state file\n"
"\n"
"  --workers=LIST       to choose from, as 2,4,8 (those of the points)\n"
"  --batches=LIST       samples of an iteration, of all workers (as above)\n"
"  --samples=N          samples in the data set (that of the points)\n"
"  --price=DOLLARS      of a worker for an hour (1)\n"
"  --memory-price=DOLLARS  of a GiB of a worker's memory for an hour (0)\n"
"  --memory=SIZE        memory of a worker\n"
"  --time-limit=TIME    limit of the training\n"
"  --budget=DOLLARS     limit of the training\n"
"  --objective=cost|time|knee  choose the cheapest, the fastest or the knee\n"
"                       (cost)\n"
"  --step-law=sum|overlap  computation and synchronization one after the other,\n"
"                       or at once as in Pollux (sum)\n"
"  --epoch-law=goodput|noise  epochs by the noise scale, as in Pollux, or by the\n"
"                       noise, as in Scavenger (goodput)\n"
"  --corners            model: fit the laws to the extreme points only\n"
"  --state=FILE         run: the file of points, which model can also read\n"
"  --profile=FILE       plink-profile(5): run writes the noise scale there, model\n"
"                       takes it from there if the points have none\n"
"  --full               run: measure all choices, not only the extremes\n"
"  --finish             run: then train to the end with the choice\n"
"  --rate=fixed|linear|sqrt  run: how the learning rate changes with the batch\n"
"                       (fixed)\n"
"  --iterations=N       run: iterations of a job after the warmup (20)\n"
"  --job-limit=TIME     run: the longest time of a job (10m)\n"
"  --search-time=TIME   run: limit of all jobs together\n"
"  --search-budget=DOLLARS  run: limit of all jobs together\n"
"  --warmup=N           noise, run: first iterations that do not count (5)\n"
"  --weight=X           noise, run: weight of the newest iteration in moving\n"
"                       averages (0.05)\n"
"  --points             noise: print points for model\n"
"  --picture=FILE.svg   model, run: draw the choices by time and cost\n"
"  --json               write JSON\n"
"  -o, --output=FILE    (standard output)\n"
"  -q, --quiet          say only what is wrong\n"
"  -v, --verbose        say more\n"
"  -h, --help           this text\n"
"  -V, --version        version of plink\n"
"\n"
"Exit: 0 done, 1 no choice is within the limits, the search was stopped, or a\n"
"loss rises (noise), 2 usage, 3 bad input, 4 system.\n";
/* clang-format on */

static const char *const objectives[] = {"cost", "time", "knee", NULL};
static const char *const step_laws[] = {"sum", "overlap", NULL};

/* Whole numbers above 0, ascending, with commas between. */
static int take_list(void *o, const struct pl_option *option, const char *value, struct pl_err *err)
{
	struct batch_list *list = pl_option_to(o, option);

	list->len = 0;
	for (const char *s = value;; s++) {
		const size_t len = strcspn(s, ",");
		uint64_t n;

		if (list->len == BATCH_LIST_MAX || pl_uint_parse(s, len, option->max, &n) ||
		    n == 0 || (list->len && n <= list->n[list->len - 1]))
			return pl_err_set(err, PL_EUSAGE,
					  "--%s wants whole numbers from 1 to %llu, ascending, as "
					  "2,4,8, not \"%s\"",
					  option->name, (unsigned long long)option->max, value);
		list->n[list->len++] = n;
		s += len;
		if (*s == '\0')
			return 0;
	}
}

#define AT(member) PL_OPTION_AT(struct batch_options, member)
#define DOLLARS .least = 0, .most = DOLLARS_MAX
#define SECONDS .least = 1e-3, .most = 1e9

/* clang-format off */
static const struct pl_option table[] = {
	{"workers", required_argument, 0, take_list, AT(workers),
	 .max = PL_BATCH_WORKERS_MAX},
	{"batches", required_argument, 0, take_list, AT(batches),
	 .max = PL_BATCH_SAMPLES_MAX},
	{"samples", required_argument, 0, pl_take_whole, AT(samples),
	 .min = 1, .max = PL_BATCH_SAMPLES_MAX},
	{"price", required_argument, 0, pl_take_number, AT(price), DOLLARS},
	{"memory-price", required_argument, 0, pl_take_number,
	 AT(memory_price), DOLLARS},
	{"memory", required_argument, 0, pl_take_size, AT(memory_bytes),
	 .min = 1},
	{"time-limit", required_argument, 0, pl_take_seconds,
	 AT(time_limit_s), SECONDS},
	{"budget", required_argument, 0, pl_take_number, AT(budget), DOLLARS},
	{"objective", required_argument, 0, pl_take_word, AT(objective),
	 .words = objectives},
	{"step-law", required_argument, 0, pl_take_word, AT(step_law),
	 .words = step_laws},
	{"epoch-law", required_argument, 0, pl_take_word, AT(epoch_law),
	 .words = pl_epoch_form_name},
	{"corners", no_argument, 0, pl_take_flag, AT(corners)},
	{"state", required_argument, 0, pl_take_filled, AT(state)},
	{"profile", required_argument, 0, pl_take_filled, AT(profile)},
	{"full", no_argument, 0, pl_take_flag, AT(full)},
	{"finish", no_argument, 0, pl_take_flag, AT(finish)},
	{"rate", required_argument, 0, pl_take_word, AT(rate),
	 .words = pl_batch_rate_name},
	{"iterations", required_argument, 0, pl_take_whole, AT(iterations),
	 .min = 1, .max = 1000000000},
	{"job-limit", required_argument, 0, pl_take_seconds, AT(job_limit_s),
	 SECONDS},
	{"search-time", required_argument, 0, pl_take_seconds,
	 AT(search_time_s), SECONDS},
	{"search-budget", required_argument, 0, pl_take_number,
	 AT(search_budget), DOLLARS},
	{"warmup", required_argument, 0, pl_take_whole, AT(noise.warmup),
	 .max = 1000000000},
	{"weight", required_argument, 0, pl_take_number, AT(noise.weight),
	 .least = 1e-6, .most = 1},
	{"points", no_argument, 0, pl_take_flag, AT(points)},
	{"picture", required_argument, 0, pl_take_svg, AT(picture)},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{"output", required_argument, 'o', pl_take_filled, AT(output)},
	{0},
};
/* clang-format on */

/* The verb of that name, or -1. */
static int find_verb(const char *word)
{
	static const char *const verbs[] = {"noise", "model", "run"};

	for (int i = 0; i < 3; i++)
		if (word && strcmp(word, verbs[i]) == 0)
			return i;
	return -1;
}

static int check_run(const struct batch_options *o)
{
	if (!o->state)
		return pl_tool_usage(BATCH_TOOL, "run needs --state");
	if (!o->workers.len || !o->batches.len)
		return pl_tool_usage(BATCH_TOOL, "run needs --workers and --batches");
	if (!o->samples)
		return pl_tool_usage(BATCH_TOOL, "run needs --samples");
	if (o->n_arguments == 0)
		return pl_tool_usage(BATCH_TOOL, "run needs a command");
	return pl_tool_spares(BATCH_TOOL, o->output, o->state);
}

static int check(const struct batch_options *o)
{
	if (o->points && (o->verb != BATCH_NOISE || o->json))
		return pl_tool_usage(BATCH_TOOL, "--points needs the verb noise, without --json");
	if (o->corners && o->verb != BATCH_MODEL)
		return pl_tool_usage(BATCH_TOOL, "--corners needs the verb model");
	if ((o->state || o->full || o->finish) && o->verb != BATCH_RUN)
		return pl_tool_usage(BATCH_TOOL, "--%s needs the verb run",
				     o->state  ? "state"
				     : o->full ? "full"
					       : "finish");
	if (o->profile && o->verb == BATCH_NOISE)
		return pl_tool_usage(BATCH_TOOL, "--profile needs the verb model or run");
	if (pl_tool_spares(BATCH_TOOL, o->output, o->profile))
		return PL_EXIT_USAGE;
	if (o->picture && o->verb == BATCH_NOISE)
		return pl_tool_usage(BATCH_TOOL, "--picture needs the verb model or run");
	if (o->verb == BATCH_RUN)
		return check_run(o);
	if (o->n_arguments == 0)
		return pl_tool_usage(BATCH_TOOL, "a file is needed");
	for (size_t i = 0; i < o->n_arguments; i++)
		if (pl_tool_spares(BATCH_TOOL, o->output, o->argument[i]) ||
		    pl_tool_spares(BATCH_TOOL, o->picture, o->argument[i]))
			return PL_EXIT_USAGE;
	return PL_EXIT_DONE;
}

int batch_options_parse(struct batch_options *o, int argc, char **argv)
{
	static const struct pl_options options = {
		.tool = BATCH_TOOL, .option = table, .help = help, .in_order = true};
	const int verb = find_verb(argv[1]);
	int status;

	*o = (struct batch_options){.noise = PL_NOISE_OPTIONS,
				    .price = 1,
				    .time_limit_s = INFINITY,
				    .budget = INFINITY,
				    .iterations = 20,
				    .job_limit_s = 600,
				    .search_time_s = INFINITY,
				    .search_budget = INFINITY};
	if (verb >= 0) {
		o->verb = (enum batch_verb)verb;
		argv = pl_verb_skip(argv);
		argc--;
	}
	status = pl_options_parse(&options, argc, argv, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	if (verb < 0)
		return pl_tool_usage(BATCH_TOOL, "noise, model or run is wanted first, not \"%s\"",
				     argc > 1 ? argv[1] : "");
	o->argument = argv + optind;
	o->n_arguments = (size_t)(argc - optind);
	return check(o);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift watch */
#include "config.h"

#include "src/srift/watch/options.h"

#include "base/text/number.h"
#include "src/common/tool.h"
#include "src/srift/watch/help.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SECONDS_MAX 1e9
#define DOLLARS_MAX 1e12
#define SAMPLES_MAX 1000000000
#define SILENCE_S 30
#define PROGRESS_S 10
#define HOOK_LIMIT_S 600
#define LAUNCH_LIMIT_S 1800

enum {
	ITERATIONS = 256,
	BATCH,
	TIME_LIMIT,
	BUDGET,
	SEARCH,
	LAUNCH,
	START,
	CHECKPOINT,
	STOP,
	HOOK_LIMIT,
	LAUNCH_LIMIT,
	PROGRESS,
	HEARTBEATS,
	SILENCE,
	LAUNCH_TIME,
	DETACH_TIME,
	SOLVE_TIME,
	STOP_UNMET,
	JOURNAL,
	TIME_SCALE,
	JSON,
	SHOW_HELP,
	SHOW_VERSION
};

static const struct option longs[] = {
	{"iterations", required_argument, NULL, ITERATIONS},
	{"batch", required_argument, NULL, BATCH},
	{"time-limit", required_argument, NULL, TIME_LIMIT},
	{"budget", required_argument, NULL, BUDGET},
	{"search", required_argument, NULL, SEARCH},
	{"launch", required_argument, NULL, LAUNCH},
	{"start", required_argument, NULL, START},
	{"checkpoint", required_argument, NULL, CHECKPOINT},
	{"stop", required_argument, NULL, STOP},
	{"hook-limit", required_argument, NULL, HOOK_LIMIT},
	{"launch-limit", required_argument, NULL, LAUNCH_LIMIT},
	{"progress", required_argument, NULL, PROGRESS},
	{"heartbeats", required_argument, NULL, HEARTBEATS},
	{"silence", required_argument, NULL, SILENCE},
	{"launch-time", required_argument, NULL, LAUNCH_TIME},
	{"detach-time", required_argument, NULL, DETACH_TIME},
	{"solve-time", required_argument, NULL, SOLVE_TIME},
	{"stop-unmet", no_argument, NULL, STOP_UNMET},
	{"journal", required_argument, NULL, JOURNAL},
	{"time-scale", required_argument, NULL, TIME_SCALE},
	{"json", no_argument, NULL, JSON},
	{"help", no_argument, NULL, SHOW_HELP},
	{"version", no_argument, NULL, SHOW_VERSION},
	{NULL, 0, NULL, 0},
};

/* A number from @min to @max. */
static int take_number(int opt, const char *s, double min, double max,
		       double *out)
{
	double x;

	if (!pl_double_parse(s, strlen(s), &x) && x >= min && x <= max) {
		*out = x;
		return PL_EXIT_DONE;
	}
	return pl_tool_usage(SRIFT_TOOL,
			     "--%s wants a number from %g to %g, not \"%s\"",
			     pl_tool_option(longs, opt), min, max, s);
}

static int take_whole(int opt, const char *s, uint64_t max, uint64_t *out)
{
	return pl_tool_take_whole(SRIFT_TOOL, longs, opt, s, 1, max, out);
}

static int take_string(int opt, const char *s, const char **out)
{
	*out = s;
	if (*s)
		return PL_EXIT_DONE;
	return pl_tool_usage(SRIFT_TOOL, "--%s is empty",
			     pl_tool_option(longs, opt));
}

/* Hooks and files. */
static const char **string_of(struct srift_watch_options *o, int opt)
{
	switch (opt) {
	case SEARCH:
		return &o->search;
	case LAUNCH:
		return &o->launch;
	case START:
		return &o->start;
	case CHECKPOINT:
		return &o->checkpoint;
	case STOP:
		return &o->stop;
	case PROGRESS:
		return &o->progress;
	case HEARTBEATS:
		return &o->heartbeats;
	case JOURNAL:
		return &o->journal;
	default:
		return NULL;
	}
}

static int take_time(struct srift_watch_options *o, int opt, const char *s)
{
	struct pl_watch_job *job = &o->job;

	switch (opt) {
	case TIME_LIMIT:
		return take_number(opt, s, 1e-6, SECONDS_MAX,
				   &job->time_limit_s);
	case BUDGET:
		return take_number(opt, s, 1e-6, DOLLARS_MAX, &job->budget);
	case HOOK_LIMIT:
		return take_number(opt, s, 1e-3, SECONDS_MAX, &o->hook_limit_s);
	case LAUNCH_LIMIT:
		return take_number(opt, s, 1e-3, SECONDS_MAX,
				   &o->launch_limit_s);
	case SILENCE:
		return take_number(opt, s, 0, SECONDS_MAX, &job->silence_s);
	case LAUNCH_TIME:
		return take_number(opt, s, 0, SECONDS_MAX,
				   &job->times.launch_s);
	case DETACH_TIME:
		return take_number(opt, s, 0, SECONDS_MAX,
				   &job->times.detach_s);
	case SOLVE_TIME:
		return take_number(opt, s, 1e-3, SECONDS_MAX,
				   &job->times.solve_s);
	default:
		return take_number(opt, s, 1e-3, 1e6, &o->time_scale);
	}
}

static int take(struct srift_watch_options *o, int opt, const char *s)
{
	switch (opt) {
	case ITERATIONS:
		return take_whole(opt, s, PL_PROGRESS_ITERATION_MAX,
				  &o->job.iterations);
	case BATCH:
		return take_whole(opt, s, SAMPLES_MAX, &o->batch);
	case STOP_UNMET:
		o->job.stop_unmet = true;
		return PL_EXIT_DONE;
	case JSON:
		o->json = true;
		return PL_EXIT_DONE;
	case SHOW_HELP:
		o->done = true;
		return pl_tool_help(SRIFT_TOOL, srift_watch_help);
	case SHOW_VERSION:
		o->done = true;
		return pl_tool_version(SRIFT_TOOL);
	case '?':
		return pl_tool_usage(SRIFT_TOOL, "unknown option, or a value "
						 "is missing");
	default:
		if (string_of(o, opt))
			return take_string(opt, s, string_of(o, opt));
		return take_time(o, opt, s);
	}
}

static int check(struct srift_watch_options *o, int n_arguments)
{
	if (n_arguments > 0)
		return pl_tool_usage(SRIFT_TOOL, "watch takes options only");
	if (!o->job.iterations)
		return pl_tool_usage(SRIFT_TOOL, "--iterations is wanted");
	if (!o->launch || !o->start)
		return pl_tool_usage(SRIFT_TOOL, "--%s is wanted",
				     o->launch ? "start" : "launch");
	if (!o->progress)
		return pl_tool_usage(SRIFT_TOOL,
				     "--progress is wanted: nothing else tells "
				     "when the job is done");
	if (o->job.stop_unmet && !o->stop)
		return pl_tool_usage(SRIFT_TOOL, "--stop-unmet wants --stop");
	if (o->journal && strcmp(o->journal, "-") == 0)
		return pl_tool_usage(SRIFT_TOOL, "--journal wants a file");
	if (isnan(o->job.silence_s))
		o->job.silence_s = o->heartbeats ? SILENCE_S : 0;
	o->job.can_checkpoint = o->checkpoint;
	o->job.can_stop = o->stop;
	return PL_EXIT_DONE;
}

/* Is it an option of ours? */
static bool is_ours(const char *word)
{
	const size_t len = strcspn(word + 2, "=");

	for (const struct option *l = longs; l->name; l++)
		if (strlen(l->name) == len && !strncmp(l->name, word + 2, len))
			return true;
	return false;
}

/* Ours, and those that are for the search; a word that is no option belongs to
 * the one before it. */
static void divide(int argc, char **argv, struct pl_words *ours,
		   struct pl_words *others)
{
	struct pl_words *to = ours;

	pl_words_add(ours, "watch");
	pl_words_add(others, "recommend");
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1] == '-')
			to = is_ours(argv[i]) ? ours : others;
		pl_words_add(to, argv[i]);
	}
}

static int parse_ours(struct srift_watch_options *o, struct pl_words *words)
{
	int opt, status = PL_EXIT_DONE;

	opterr = 0;
	optind = 0; /* from the beginning */
	while (status == PL_EXIT_DONE && !o->done &&
	       (opt = getopt_long((int)words->n, words->v, "", longs, NULL)) !=
		       -1)
		status = take(o, opt, optarg);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, (int)words->n - optind);
}

/* What the search is to find, as recommend would be asked for it. */
static int parse_question(struct srift_watch_options *o,
			  struct pl_words *others)
{
	char number[32];
	int status;

	if (o->search && others->n == 1)
		return PL_EXIT_DONE;
	if (o->search)
		return pl_tool_usage(SRIFT_TOOL,
				     "with --search, %s is an unknown option",
				     others->v[1]);
	if (others->n == 1)
		return pl_tool_usage(SRIFT_TOOL,
				     "--search is wanted, or --profile and "
				     "--catalogue");
	snprintf(number, sizeof(number), "%llu",
		 (unsigned long long)o->job.iterations);
	pl_words_add_pair(others, "--iterations", number);
	if (o->batch) {
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)o->batch);
		pl_words_add_pair(others, "--batch", number);
	}
	if (others->failed) {
		pl_tool_say(SRIFT_TOOL, "out of memory");
		return PL_EXIT_SYSTEM;
	}
	optind = 0;
	status = srift_question_parse(&o->question, (int)others->n, others->v);
	o->done = o->question.o.done;
	return status;
}

int srift_watch_options_parse(struct srift_watch_options *o, int argc,
			      char **argv)
{
	int status;

	*o = (struct srift_watch_options){
		.job = {.time_limit_s = INFINITY,
			.budget = INFINITY,
			.times = {PL_REPLAN_LAUNCH_S, PL_REPLAN_DETACH_S,
				  PL_REPLAN_SOLVE_S},
			.silence_s = NAN,
			.progress_s = PROGRESS_S},
		.hook_limit_s = HOOK_LIMIT_S,
		.launch_limit_s = LAUNCH_LIMIT_S,
		.time_scale = 1,
	};
	divide(argc, argv, &o->ours, &o->words);
	if (o->ours.failed || o->words.failed) {
		pl_tool_say(SRIFT_TOOL, "out of memory");
		return PL_EXIT_SYSTEM;
	}
	status = parse_ours(o, &o->ours);
	if (status == PL_EXIT_DONE && !o->done)
		status = parse_question(o, &o->words);
	return status;
}

void srift_watch_options_fini(struct srift_watch_options *o)
{
	srift_question_fini(&o->question);
	pl_words_fini(&o->ours);
	pl_words_fini(&o->words);
}

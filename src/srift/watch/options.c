/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - the command line of plink-srift watch */
#include "config.h"

#include "src/srift/watch/options.h"

#include "base/text/number.h"
#include "base/text/path.h"
#include "src/common/options.h"
#include "src/common/tool.h"
#include "src/srift/verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SECONDS_MAX 1e9
#define DOLLARS_MAX 1e12
#define SAMPLES_MAX 1000000000
#define SILENCE_S 30
#define PROGRESS_S 10
#define SLOW 0.067 /* CM-DARE, section VI-B */
#define HOOK_LIMIT_S 600
#define LAUNCH_LIMIT_S 1800

#define AT(member) PL_OPTION_AT(struct srift_watch_options, member)
#define SECONDS(from) .least = from, .most = SECONDS_MAX

/* Per cent, of which 100 are never exceeded. */
static int take_share(void *o, const struct pl_option *option, const char *value,
		      struct pl_err *err)
{
	double percent = NAN, *share = pl_option_to(o, option);

	if (pl_double_parse(value, strlen(value), &percent) || !(percent > 0 && percent <= 100))
		return pl_err_set(err, PL_EUSAGE,
				  "--%s wants per cent, above 0 and up to 100, not \"%s\"",
				  option->name, value);
	*share = percent / 100;
	return 0;
}

/* clang-format off */
static const struct pl_option table[] = {
	{"iterations", required_argument, 0, pl_take_whole, AT(job.iterations),
	 1, PL_PROGRESS_ITERATION_MAX},
	{"batch", required_argument, 0, pl_take_whole, AT(batch),
	 1, SAMPLES_MAX},
	{"time-limit", required_argument, 0, pl_take_seconds,
	 AT(job.time_limit_s), SECONDS(1e-6)},
	{"budget", required_argument, 0, pl_take_number, AT(job.budget),
	 .least = 1e-6, .most = DOLLARS_MAX},
	{"search", required_argument, 0, pl_take_filled, AT(search)},
	{"launch", required_argument, 0, pl_take_filled, AT(launch)},
	{"start", required_argument, 0, pl_take_filled, AT(start)},
	{"checkpoint", required_argument, 0, pl_take_filled, AT(checkpoint)},
	{"stop", required_argument, 0, pl_take_filled, AT(stop)},
	{"hook-limit", required_argument, 0, pl_take_seconds, AT(hook_limit_s),
	 SECONDS(1e-3)},
	{"launch-limit", required_argument, 0, pl_take_seconds,
	 AT(launch_limit_s), SECONDS(1e-3)},
	{"progress", required_argument, 0, pl_take_filled, AT(progress)},
	{"slow", required_argument, 0, take_share, AT(job.slow)},
	{"heartbeats", required_argument, 0, pl_take_filled, AT(heartbeats)},
	{"silence", required_argument, 0, pl_take_seconds, AT(job.silence_s),
	 SECONDS(0)},
	{"launch-time", required_argument, 0, pl_take_seconds,
	 AT(job.times.launch_s), SECONDS(0)},
	{"detach-time", required_argument, 0, pl_take_seconds,
	 AT(job.times.detach_s), SECONDS(0)},
	{"solve-time", required_argument, 0, pl_take_seconds,
	 AT(job.times.solve_s), SECONDS(1e-3)},
	{"stop-unmet", no_argument, 0, pl_take_flag, AT(job.stop_unmet)},
	{"stop-spent", no_argument, 0, pl_take_flag, AT(job.stop_spent)},
	{"spot-again", no_argument, 0, pl_take_flag, AT(job.spot_returns)},
	{"journal", required_argument, 0, pl_take_filled, AT(journal)},
	{"history", required_argument, 0, srift_take_history, AT(history)},
	{"time-scale", required_argument, 0, pl_take_number, AT(time_scale),
	 .least = 1e-3, .most = 1e6},
	{"json", no_argument, 0, pl_take_flag, AT(json)},
	{0},
};
/* clang-format on */

static int check(struct srift_watch_options *o, int n_arguments)
{
	if (n_arguments > 0)
		return srift_usage("watch takes options only");
	if (!o->job.iterations)
		return srift_usage("--iterations is wanted");
	if (!o->launch || !o->start)
		return srift_usage("--%s is wanted", o->launch ? "start" : "launch");
	if (!o->progress)
		return srift_usage("--progress is wanted: nothing else tells when the job is done");
	if (o->job.stop_unmet && !o->stop)
		return srift_usage("--stop-unmet wants --stop");
	if (o->job.stop_spent && !o->stop)
		return srift_usage("--stop-spent wants --stop");
	if (o->journal && strcmp(o->journal, "-") == 0)
		return srift_usage("--journal wants a file");
	if (pl_same_file(o->journal, o->progress) || pl_same_file(o->journal, o->heartbeats))
		return srift_usage("--journal is for a file of its own");
	if (isnan(o->job.silence_s))
		o->job.silence_s = o->heartbeats ? SILENCE_S : 0;
	if (isnan(o->job.times.launch_s))
		o->job.times.launch_s = PL_REPLAN_LAUNCH_S;
	else
		o->job.times.launch_from = PL_TIME_GIVEN;
	o->job.can_checkpoint = o->checkpoint;
	o->job.can_stop = o->stop;
	return PL_EXIT_DONE;
}

/* Ours, and those that are for the search; a word that is no option belongs to the one before
 * it. */
static void divide(int argc, char **argv, struct pl_words *ours, struct pl_words *others)
{
	struct pl_words *to = ours;

	pl_words_add(ours, argv[0]);
	pl_words_add(others, "recommend");
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && argv[i][1] == '-')
			to = pl_option_named(table, argv[i] + 2, strcspn(argv[i] + 2, "="))
				     ? ours
				     : others;
		pl_words_add(to, argv[i]);
	}
}

static int parse_ours(struct srift_watch_options *o, struct pl_words *words)
{
	static const struct pl_options options = {
		.tool = SRIFT_TOOL, .option = table, .help = srift_watch_help};
	int status;

	optind = 0; /* from the beginning */
	status = pl_options_parse(&options, (int)words->n, words->v, o, &o->done);
	if (status != PL_EXIT_DONE || o->done)
		return status;
	return check(o, (int)words->n - optind);
}

/* What the search is to find, as recommend would be asked for it. */
static int parse_question(struct srift_watch_options *o, struct pl_words *others)
{
	char number[32];
	int status;

	if (o->search && others->n == 1)
		return PL_EXIT_DONE;
	if (o->search)
		return srift_usage("with --search, %s is an unknown option", others->v[1]);
	if (others->n == 1)
		return srift_usage("--search is wanted, or --profile and --catalogue");
	snprintf(number, sizeof(number), "%llu", (unsigned long long)o->job.iterations);
	pl_words_add_pair(others, "--iterations", number);
	if (o->batch) {
		snprintf(number, sizeof(number), "%llu", (unsigned long long)o->batch);
		pl_words_add_pair(others, "--batch", number);
	}
	if (others->failed) {
		srift_warn("out of memory");
		return PL_EXIT_SYSTEM;
	}
	optind = 0;
	status = srift_question_parse(&o->question, (int)others->n, others->v);
	o->done = o->question.o.done;
	if (status == PL_EXIT_DONE && o->question.o.rated_bps > 0)
		srift_warn(
			"--rated is a rough start: measure the network as soon as machines are up");
	if (status == PL_EXIT_DONE && o->question.rule.region &&
	    strcmp(o->question.rule.region, "any") == 0)
		return srift_usage("only recommend knows --region=any");
	if (status == PL_EXIT_DONE && srift_has_hubs(&o->question.o))
		return srift_usage("watch launches no hubs: leave --hubs out");
	if (o->question.spot_history.n)
		o->job.spot_returns = true;
	return status;
}

int srift_watch_options_parse(struct srift_watch_options *o, int argc, char **argv)
{
	int status;

	*o = (struct srift_watch_options){
		.job = {.time_limit_s = INFINITY,
			.budget = INFINITY,
			.times = PL_REPLAN_TIMES,
			.silence_s = NAN,
			.progress_s = PROGRESS_S,
			.slow = SLOW},
		.hook_limit_s = HOOK_LIMIT_S,
		.launch_limit_s = LAUNCH_LIMIT_S,
		.time_scale = 1,
	};
	o->job.times.launch_s = NAN;
	divide(argc, argv, &o->ours, &o->words);
	if (o->ours.failed || o->words.failed) {
		srift_warn("out of memory");
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

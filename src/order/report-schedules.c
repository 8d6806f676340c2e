/* SPDX-License-Identifier: BSD-3-Clause */
/* report-schedules.c - on stderr: what schedules are predicted to gain, and which are written */
#include "config.h"

#include "src/order/report.h"

#include "base/text/size.h"
#include "src/order/schedules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The names of the trials' algorithms in a column. */
static int widest(const struct pl_reorder_schedules *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n_trials; i++) {
		const size_t len = strlen(s->trial[i].own.algorithm);

		most = len > most ? len : most;
	}
	return (int)most;
}

static void say_trial(const struct pl_reorder_answer *a, const struct pl_reorder_trial *t)
{
	const struct pl_reorder_schedules *s = a->schedules;
	char given[PL_REORDER_TIME], found[PL_REORDER_TIME];
	char own[PL_REORDER_TIME], size[PL_SIZE_CHARS];

	pl_reorder_say("  %5s  %-*s  %9s -> %9s;  %s %s%s", pl_size_format(size, t->bytes),
		       widest(s), t->own.algorithm, pl_reorder_time_text(given, a, t->own.given_s),
		       pl_reorder_time_text(found, a, t->own.found_s),
		       s->candidates.v[t->best].name, pl_reorder_time_text(own, a, t->seconds),
		       t->taken ? "" : ": left to the library");
}

static void say_trials(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_schedules *s = a->schedules;

	if (s->n_trials == 0) {
		pl_reorder_say("schedules are not predicted: %s", s->why_not);
		return;
	}
	pl_reorder_say("predicted time of an all-reduce of %s, given order -> found order; and by "
		       "a schedule:",
		       pl_reorder_library_name(a));
	for (size_t i = 0; i < s->n_trials; i++)
		say_trial(a, &s->trial[i]);
}

static void say_schedule(const struct pl_reorder_schedules *s, size_t i)
{
	const struct pl_schedule *schedule = &s->file.schedule[i];
	const char *masters = pl_reorder_candidate_masters(&s->candidates.v[s->of[i]]);
	char first[PL_SIZE_CHARS], last[PL_SIZE_CHARS] = "";
	char chunk[PL_SIZE_CHARS];

	if (schedule->size_max < UINT64_MAX)
		pl_size_format(last, schedule->size_max + 1);
	pl_reorder_say("sizes from %s %s%s: %s%s%s, %zu slice%s, chunks of %s, window %zu",
		       pl_size_format(first, schedule->size_min), *last ? "to below " : "on", last,
		       schedule->algorithm, *masters ? ", " : "", masters, schedule->slices.n,
		       schedule->slices.n == 1 ? "" : "s",
		       pl_size_format(chunk, schedule->chunk_bytes), schedule->window);
}

/* What hubs gain at the size at which they gain most. */
static void say_hubs(const struct pl_reorder_answer *a)
{
	const struct pl_reorder_schedules *s = a->schedules;
	char with[PL_REORDER_TIME], without[PL_REORDER_TIME];
	const struct pl_reorder_trial *most = NULL;
	char size[PL_SIZE_CHARS];

	for (size_t i = 0; i < s->n_trials; i++) {
		const struct pl_reorder_trial *t = &s->trial[i];

		if (s->candidates.v[t->best].hubs && t->taken &&
		    (!most || t->without_s / t->seconds > most->without_s / most->seconds))
			most = t;
	}
	if (!most)
		pl_reorder_say("the aggregators gain nothing: the schedules leave them out");
	else if (isinf(most->without_s))
		pl_reorder_say("with aggregators an all-reduce of %s takes %s",
			       pl_size_format(size, most->bytes),
			       pl_reorder_time_text(with, a, most->seconds));
	else
		pl_reorder_say("with aggregators an all-reduce of %s takes %s, without them %s by "
			       "the best schedule: %.3g times as fast",
			       pl_size_format(size, most->bytes),
			       pl_reorder_time_text(with, a, most->seconds),
			       pl_reorder_time_text(without, a, most->without_s),
			       most->without_s / most->seconds);
}

void pl_reorder_report_schedules(const struct pl_reorder_answer *a)
{
	say_trials(a);
	for (size_t i = 0; i < a->schedules->file.n; i++)
		say_schedule(a->schedules, i);
	if (a->o->aggregators && a->schedules->n_trials > 0)
		say_hubs(a);
}

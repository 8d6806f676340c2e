/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - --job: an order for all communicators of a job */
#include "config.h"

#include "src/order/job.h"

#include "base/text/size.h"
#include "order/calls/forecaster.h"
#include "src/common/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first kind that makes other calls than traffic; NULL: none. */
static const struct pl_job_kind *find_calling(const struct pl_job *job)
{
	for (size_t k = 0; k < job->n_kinds; k++)
		if (!pl_job_has_sends(&job->kind[k]))
			return &job->kind[k];
	return NULL;
}

/* Ranks of a host move together, except where only pairs of ranks matter. */
static int check_seq(const struct pl_job *job, struct pl_err *err)
{
	const struct pl_job_kind *kind = find_calling(job);

	if (!kind)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "kind \"%.64s\": --hosts-format=seq is for jobs of traffic and "
			  "alltoallv; list each host once, with its slots",
			  kind->name);
}

int pl_reorder_job_read(struct pl_reorder_job *job, const struct pl_reorder_options *o,
			struct pl_err *err)
{
	if (!o->job)
		return 0;
	if (pl_job_read(&job->job, o->job, err))
		return -1;
	return o->hosts_form == PL_HOSTS_SEQ ? check_seq(&job->job, err) : 0;
}

void pl_reorder_job_fini(struct pl_reorder_job *job)
{
	pl_job_fini(&job->job);
	pl_job_answer_fini(&job->answer);
}

void pl_reorder_job_slots(const struct pl_reorder_job *job, const struct pl_reorder_options *o,
			  struct pl_order_input *in)
{
	size_t slots = 0;

	if (o->hosts_form != PL_HOSTS_SEQ)
		slots = pl_job_fit_slots(&job->job, &in->hosts);
	if (slots)
		pl_reorder_say("%zu ranks on each host, as the job has them", slots);
}

#define COST_CHARS 48

/* Seconds with their unit, or a number. */
static const char *cost_text(char buf[COST_CHARS], bool in_seconds, double cost)
{
	if (in_seconds)
		snprintf(buf, COST_CHARS, "%s", PL_TIME_TEXT(cost));
	else
		snprintf(buf, COST_CHARS, "%.4g levels", cost);
	return buf;
}

void pl_reorder_job_describe(char buf[PL_REORDER_KIND], const struct pl_job_kind *kind)
{
	const size_t room = PL_REORDER_KIND;
	char size[PL_SIZE_CHARS];
	size_t least = SIZE_MAX, most = 0;
	int len = snprintf(buf, room, "%s", pl_job_calls_name(kind));

	if (kind->bytes)
		len += snprintf(buf + len, room - (size_t)len, " %s",
				pl_size_format(size, kind->bytes));
	if (kind->calls != 1)
		len += snprintf(buf + len, room - (size_t)len, " x %g", kind->calls);
	for (size_t g = 0; g < kind->n_groups; g++) {
		const size_t n = kind->first[g + 1] - kind->first[g];

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	if (kind->n_groups == 0)
		snprintf(buf + len, room - (size_t)len, ", %zu pair%s of ranks", kind->n_sends,
			 kind->n_sends == 1 ? "" : "s");
	else if (least == most)
		snprintf(buf + len, room - (size_t)len, ", %zu group%s of %zu", kind->n_groups,
			 kind->n_groups == 1 ? "" : "s", most);
	else
		snprintf(buf + len, room - (size_t)len, ", %zu groups of %zu to %zu",
			 kind->n_groups, least, most);
}

static void say_kind(const struct pl_job_kind *kind, const struct pl_job_part *part,
		     const struct pl_job_times *t, bool in_seconds)
{
	char what[PL_REORDER_KIND], given[COST_CHARS], found[COST_CHARS], alone[COST_CHARS];

	pl_reorder_job_describe(what, kind);
	if (part->cost.given == 0 && part->cost.found == 0 && kind->exposed > 0) {
		pl_reorder_say("  %s (%s): within hosts", kind->name, what);
		return;
	}
	cost_text(given, in_seconds, t->given);
	cost_text(found, in_seconds, t->found);
	if (part->even)
		pl_reorder_say(
			"  %s (%s): %s; all pairs of ranks send at once, so no order is faster",
			kind->name, what, found);
	else if (isnan(t->alone))
		pl_reorder_say("  %s (%s): given %s, found %s", kind->name, what, given, found);
	else
		pl_reorder_say("  %s (%s): given %s, found %s; alone %s", kind->name, what, given,
			       found, cost_text(alone, in_seconds, t->alone));
}

static void say_step(const struct pl_reorder_answer *a)
{
	const struct pl_job_answer *x = &a->job->answer;
	const double given = x->is_played ? x->played_given : x->given;
	const double found = x->is_played ? x->played_found : x->found;
	const double gain = pl_order_gain(given, found);
	char from[COST_CHARS], to[COST_CHARS];

	pl_reorder_say("communication in a step%s: given %s, %s%s %s (%.3g %% %s)",
		       x->is_played ? ", predicted" : "", cost_text(from, x->in_seconds, given),
		       a->o->cost_of ? "in " : "", a->o->cost_of ? a->o->cost_of : "found",
		       cost_text(to, x->in_seconds, found), fabs(gain), gain < 0 ? "more" : "less");
}

void pl_reorder_report_job(const struct pl_reorder_answer *a)
{
	const struct pl_job_answer *x = &a->job->answer;
	char found[COST_CHARS], bound[COST_CHARS];

	if (a->r->kept)
		pl_reorder_say("only %.2f %% could be gained, less than the %.4g %% asked for: the "
			       "given order is kept",
			       a->r->gain_missed, a->o->request.min_gain);
	if (x->in_seconds && !a->in->per_byte)
		pl_reorder_say("no bandwidths are known, so that sizes do not count: plink-probe "
			       "--bandwidth=alone,together measures them");
	if (a->o->hosts_form != PL_HOSTS_SEQ && !find_calling(&a->job->job) &&
	    pl_hosts_ranks(&a->in->hosts) > a->in->hosts.n)
		pl_reorder_say("the ranks of a host stay together: a list with a line for each "
			       "rank and --hosts-format=seq place them one by one");
	if (x->guessed)
		pl_reorder_warn("no time is predicted for a step: it %s; the order is the best by "
				"round trips alone",
				PL_ORDER_GUESSED);
	else
		say_step(a);
	for (size_t k = 0; k < x->n && !x->guessed; k++)
		say_kind(&a->job->job.kind[k], &x->kind[k], pl_job_answer_times(x, k),
			 x->in_seconds);
	if (x->even)
		pl_reorder_say(
			"no order of these hosts is faster than another: none was looked for");
	else if (a->r->unchanged)
		pl_reorder_say("the order is the given one, unchanged");
	if (x->bound > 0)
		pl_reorder_say("by hops: found %s, best possible not below %s, gap %.3g %%",
			       cost_text(found, x->in_seconds, x->found),
			       cost_text(bound, x->in_seconds, x->bound),
			       100 * (x->found / x->bound - 1));
}

/* Numbers that are not known are null. */
static json_t *times_json(const struct pl_job_times *t)
{
	return json_pack("{s:f, s:f, s:o}", "given", t->given, "found", t->found, "alone",
			 isnan(t->alone) ? json_null() : json_real(t->alone));
}

static json_t *kind_json(const struct pl_job_kind *kind, const struct pl_job_part *part,
			 bool is_played)
{
	json_t *obj = json_pack("{s:o, s:s, s:I, s:f, s:f, s:I, s:o, s:f}", "name",
				pl_tool_json_text(kind->name), "calls", pl_job_calls_name(kind),
				"bytes", (json_int_t)kind->bytes, "count", kind->calls, "exposed",
				kind->exposed, "groups", (json_int_t)kind->n_groups, "cost",
				times_json(&part->cost), "bound", part->bound);

	if (is_played)
		pl_obj_set(&obj, "predicted", times_json(&part->played));
	return obj;
}

json_t *pl_reorder_json_job(const struct pl_reorder_answer *a)
{
	const struct pl_job_answer *x = &a->job->answer;
	json_t *kinds = json_array(), *obj;

	for (size_t k = 0; k < x->n; k++)
		pl_list_add(&kinds, kind_json(&a->job->job.kind[k], &x->kind[k],
					      x->is_played && !x->guessed));
	obj = json_pack("{s:b, s:f, s:f, s:f}", "seconds", x->in_seconds, "given", x->given,
			"found", x->found, "bound", x->bound);
	pl_obj_set(&obj, "promised", json_boolean(!x->guessed));
	if (x->is_played && !x->guessed)
		pl_obj_set(&obj, "predicted",
			   json_pack("{s:f, s:f}", "given", x->played_given, "found",
				     x->played_found));
	pl_obj_set(&obj, "kinds", kinds);
	return obj;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* acts.c - acts of a watch become hooks, and their ends results */
#include "config.h"

#include "base/clock.h"
#include "src/srift/watch/drive.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const hook_name[] = {
	[PL_ACT_SEARCH] = "search", [PL_ACT_CHECKPOINT] = "checkpoint",
	[PL_ACT_LAUNCH] = "launch", [PL_ACT_START] = "start",
	[PL_ACT_STOP] = "stop",
};

static const char *command_of(const struct srift_watch_options *o, enum pl_act_kind kind)
{
	switch (kind) {
	case PL_ACT_SEARCH:
		return o->search;
	case PL_ACT_CHECKPOINT:
		return o->checkpoint;
	case PL_ACT_LAUNCH:
		return o->launch;
	case PL_ACT_START:
		return o->start;
	case PL_ACT_STOP:
		return o->stop;
	}
	return NULL;
}

static int64_t limit_ns(const struct srift_watch_options *o, enum pl_act_kind kind)
{
	return (int64_t)((kind == PL_ACT_LAUNCH ? o->launch_limit_s : o->hook_limit_s) * 1e9);
}

int srift_act_begin(struct srift_drive *d, struct pl_act *act, struct pl_err *err)
{
	struct srift_running *r = &d->running[d->n_running];
	struct pl_words env = {0};
	int rc;

	*r = (struct srift_running){.id = act->id, .kind = act->kind};
	rc = srift_environment(d, act, &env, &r->hosts, err);
	if (rc == 0)
		rc = pl_hook_start(&r->hook, command_of(d->o, act->kind), &env,
				   pl_clock_ns() + limit_ns(d->o, act->kind), err);
	pl_words_fini(&env);
	if (rc) {
		pl_scratch_unshare(&r->hosts);
		return -1;
	}
	act->begun = true;
	if (!(act->begun_s > 0)) /* else it is done again after a restart */
		act->begun_s = srift_drive_now_s(d);
	d->n_running++;
	return 0;
}

/* What the output of a hook that has ended says, and how it went. */
struct outcome {
	struct pl_act_result result;
	struct pl_srift_fleet fleet;
	struct pl_words names;
	char why[1024];
};

static void fault(struct outcome *oc, const struct pl_err *err)
{
	if (err->file[0] && err->line)
		snprintf(oc->why, sizeof(oc->why), "%s:%ld:%ld: %s", err->file, err->line, err->col,
			 err->text);
	else
		snprintf(oc->why, sizeof(oc->why), "%s", err->text);
	oc->result.failed = oc->why;
}

static void read_answer(struct outcome *oc, struct pl_text *output)
{
	struct pl_err err = {0};

	oc->result.fleet = &oc->fleet;
	if (pl_fleet_parse(&oc->fleet, output, &err))
		fault(oc, &err);
}

static void read_names(struct outcome *oc, struct pl_text *output)
{
	struct pl_err err = {0};

	if (pl_hook_names(output, &oc->names, &err) && !oc->result.failed)
		fault(oc, &err);
	oc->result.name = oc->names.v;
	oc->result.n_names = oc->names.n;
}

static void judge(struct outcome *oc, enum pl_act_kind kind, struct pl_hook_end *end)
{
	if (end->expired)
		snprintf(oc->why, sizeof(oc->why), "it took too long");
	else if (end->status > 128)
		snprintf(oc->why, sizeof(oc->why), "signal %d", end->status - 128);
	else if (end->status)
		snprintf(oc->why, sizeof(oc->why), "exit status %d", end->status);
	if (oc->why[0])
		oc->result.failed = oc->why;
	if (kind == PL_ACT_LAUNCH)
		read_names(oc, &end->output);
	else if (kind == PL_ACT_SEARCH && !oc->why[0])
		read_answer(oc, &end->output);
	else if (kind == PL_ACT_CHECKPOINT)
		oc->result.saved_told = pl_hook_saved(&end->output, &oc->result.saved);
}

static int report(struct srift_drive *d, uint64_t id, struct outcome *oc, struct pl_err *err)
{
	const int rc = pl_watch_act_ended(&d->watch, srift_drive_now_s(d), id, &oc->result, err);

	pl_srift_fleet_fini(&oc->fleet);
	pl_words_fini(&oc->names);
	return rc;
}

/* What is wrong with files or options shows at the first search, and then is not for the job to
 * fail by. */
int srift_act_search(struct srift_drive *d, const struct pl_act *act, struct pl_err *err)
{
	struct outcome oc = {0};
	struct pl_srift_fleet up = {0};
	struct pl_replan q;
	struct pl_err bad = {0};
	const uint64_t id = act->id;
	int rc;

	if (pl_watch_question(&d->watch, srift_drive_now_s(d), &q, &up)) {
		pl_srift_fleet_fini(&up);
		return pl_err_nomem(err);
	}
	oc.result.fleet = &oc.fleet;
	rc = srift_seek(&d->o->question, &q, &oc.fleet, &bad);
	pl_srift_fleet_fini(&up);
	if (rc && bad.code != PL_EPARTIAL && d->watch.nodes.n == 0) {
		*err = bad;
		return -1;
	}
	if (rc)
		fault(&oc, &bad);
	return report(d, id, &oc, err);
}

/* 1 where it has ended. The stages that a launch told come before the machines that are up. */
static int poll_one(struct srift_drive *d, size_t i, struct pl_err *err)
{
	struct srift_running r = d->running[i];
	struct pl_hook_end end = {0};
	struct outcome oc = {0};
	struct pl_err bad = {0};
	const int ended =
		pl_hook_poll(&d->running[i].hook, hook_name[r.kind], pl_clock_ns(), &end, &bad);
	int rc = 0;

	if (ended == 0)
		return 0;
	pl_scratch_unshare(&d->running[i].hosts);
	d->running[i] = d->running[--d->n_running];
	if (ended < 0)
		fault(&oc, &bad);
	else
		judge(&oc, r.kind, &end);
	pl_text_fini(&end.output);
	if (r.kind == PL_ACT_LAUNCH)
		rc = srift_drive_read(d, err);
	return report(d, r.id, &oc, err) || rc ? -1 : 1;
}

int srift_acts_poll(struct srift_drive *d, struct pl_err *err)
{
	for (size_t i = 0; i < d->n_running;) {
		const int rc = poll_one(d, i, err);

		if (rc < 0)
			return -1;
		i += rc == 0;
	}
	return 0;
}

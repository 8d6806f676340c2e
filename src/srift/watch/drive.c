/* SPDX-License-Identifier: BSD-3-Clause */
/* drive.c - a watch at work: its clock, hooks, progress and journal */
#include "config.h"

#include "src/srift/watch/drive.h"

#include "base/clock.h"
#include "src/common/tool.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS INT64_C(200000000) /* at files that tell of life */
#define WAIT_MS 50                 /* at most, for hooks and files */

static double wall_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double srift_drive_now_s(const struct srift_drive *d)
{
	return d->begin_s + (double)(pl_clock_ns() - d->begin_ns) / 1e9 * d->o->time_scale;
}

void srift_drive_fail(struct srift_drive *d, const struct pl_err *err)
{
	if (!d->failed)
		d->err = *err;
	d->failed = true;
}

/* The job went on while nobody watched; the wall clock tells how long, unless it was set back. */
static void set_clock(struct srift_drive *d)
{
	const double wall = wall_s();

	d->begin_ns = pl_clock_ns();
	if (!d->place.found) {
		d->place.began_s = wall;
		d->begin_s = 0;
		return;
	}
	d->begin_s = fmax(d->place.at_s, (wall - d->place.began_s) * d->o->time_scale);
}

static int read_journal(struct srift_drive *d, struct pl_err *err)
{
	const struct srift_watch_options *o = d->o;

	if (pl_journal_open(&d->journal, o->journal, err) ||
	    pl_journal_read(o->journal, &d->watch, &d->place, err) ||
	    pl_journal_mend(&d->journal, err))
		return -1;
	if (d->place.cut)
		srift_warn("%s: its last line is cut off and is ignored", o->journal);
	if (d->place.found && d->place.iterations != o->job.iterations)
		return pl_err_set(err, PL_EUSAGE, "%s is the journal of a job of %llu iterations",
				  o->journal, (unsigned long long)d->place.iterations);
	if (d->place.found && d->place.time_scale != o->time_scale)
		return pl_err_set(err, PL_EUSAGE, "%s has the time scale %g", o->journal,
				  d->place.time_scale);
	return 0;
}

/* What launches took, in earlier jobs and in this one until now, is expected of the next. */
static int take_history(struct srift_drive *d, struct pl_err *err)
{
	struct pl_history h = {0};
	int rc = srift_history_read(&h, &d->o->history, err);

	if (rc == 0 && d->o->journal)
		rc = pl_history_read(&h, d->o->journal, err);
	if (rc == 0 && d->watch.job.times.launch_from != PL_TIME_GIVEN)
		pl_history_take_times(&h, &d->watch.job.times);
	pl_history_fini(&h);
	return rc;
}

int srift_drive_init(struct srift_drive *d, const struct srift_watch_options *o, struct pl_err *err)
{
	*d = (struct srift_drive){.o = o, .journal = {.fd = -1}};
	pl_watch_init(&d->watch, &o->job, srift_tell, d);
	if (o->journal && read_journal(d, err))
		return -1;
	if (take_history(d, err))
		return -1;
	d->place.iterations = o->job.iterations;
	d->place.time_scale = o->time_scale;
	set_clock(d);
	pl_follow_init(&d->follow, o->progress, &d->place.progress);
	return 0;
}

/* Acts for which there is room. A launch is journaled before it begins: should this be the last we
 * do, another watch does it again under the same number. */
static int begin_acts(struct srift_drive *d, struct pl_err *err)
{
	for (size_t i = 0; i < d->watch.n_acts; i++) {
		struct pl_act *act = &d->watch.act[i];

		if (d->leaving || d->n_running == SRIFT_HOOKS_MAX)
			return 0;
		if (act->kind == PL_ACT_SEARCH && !d->o->search)
			return srift_act_search(d, act, err);
		if (!act->begun && srift_act_begin(d, act, err))
			return -1;
	}
	return 0;
}

int srift_drive_read(struct srift_drive *d, struct pl_err *err)
{
	struct pl_said p;
	struct pl_err bad;
	int rc;

	for (;;) {
		bad = (struct pl_err){0};
		rc = pl_follow_next(&d->follow, &p, &bad);
		if (rc == 0)
			return 0;
		if (rc < 0 && bad.code != PL_EINPUT) {
			*err = bad;
			return -1;
		}
		if (rc < 0) /* its writer is not ours to refuse */
			pl_tool_fail(SRIFT_TOOL, &bad);
		else if (pl_watch_progress(&d->watch, srift_drive_now_s(d), &p, err))
			return -1;
	}
}

static int look(struct srift_drive *d, struct pl_err *err)
{
	const int64_t now_ns = pl_clock_ns();

	if (d->o->heartbeats && now_ns >= d->look_ns) {
		d->look_ns = now_ns + LOOK_NS;
		if (pl_beats_look(&d->beats, d->o->heartbeats, &d->watch.nodes,
				  srift_drive_now_s(d)))
			return pl_err_nomem(err);
	}
	return pl_watch_tick(&d->watch, srift_drive_now_s(d), err);
}

/* Until a pipe has something, or a moment has passed. */
static void wait_a_moment(struct srift_drive *d)
{
	struct pollfd p = {.fd = d->follow.pipe ? d->follow.fd : -1, .events = POLLIN};

	poll(&p, 1, WAIT_MS);
}

/* Asks hooks to end, now. */
static void end_hooks(struct srift_drive *d)
{
	for (size_t i = 0; i < d->n_running; i++)
		if (!d->running[i].hook.expired)
			d->running[i].hook.end_ns = 0;
}

static void leave(struct srift_drive *d, int stop)
{
	if (!d->leaving && d->n_running)
		srift_warn("%zu hook%s running: waiting; interrupt again to end %s", d->n_running,
			   d->n_running == 1 ? " is" : "s are", d->n_running == 1 ? "it" : "them");
	d->leaving = true;
	if (stop > 1)
		end_hooks(d);
}

/* The job is left as it is. */
static void tell_left(struct srift_drive *d)
{
	struct pl_watch_event e = {
		.name = "left",
		.at_s = srift_drive_now_s(d),
		.left_s = NAN,
		.finish_s = NAN,
		.saves_s = NAN,
		.mean_s = NAN,
		.likely_s = NAN,
		.count = pl_nodes_up(&d->watch.nodes, NULL, false),
	};

	srift_tell(d, &d->watch, &e);
	srift_warn("interrupted: the job is left as it is, %zu machine%s running%s%s", e.count,
		   e.count == 1 ? "" : "s", d->o->journal ? "; go on with --journal=" : "",
		   d->o->journal ? d->o->journal : "");
}

int srift_drive_run(struct srift_drive *d, const volatile sig_atomic_t *stop, struct pl_err *err)
{
	int rc = pl_watch_begin(&d->watch, srift_drive_now_s(d), err);

	while (rc == 0 && !d->failed) {
		if (*stop)
			leave(d, *stop);
		if (d->watch.phase == PL_WATCH_ENDED && !d->n_running)
			return 0;
		if (d->leaving && !d->n_running) {
			tell_left(d);
			break;
		}
		rc = begin_acts(d, err);
		if (rc == 0)
			wait_a_moment(d);
		if (rc == 0)
			rc = srift_acts_poll(d, err);
		if (rc == 0)
			rc = srift_drive_read(d, err);
		if (rc == 0)
			rc = look(d, err);
	}
	if (d->failed) {
		*err = d->err;
		return -1;
	}
	return rc;
}

/* Hooks that are under way where we fail go on: ending a launch half-way would leave machines that
 * nobody knows of. */
void srift_drive_fini(struct srift_drive *d)
{
	for (size_t i = 0; i < d->n_running; i++) {
		close(d->running[i].hook.out);
		free(d->running[i].hosts.path); /* it may still be read */
	}
	pl_follow_fini(&d->follow);
	pl_beats_fini(&d->beats);
	pl_journal_close(&d->journal);
	pl_watch_fini(&d->watch);
}

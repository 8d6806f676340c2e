/* SPDX-License-Identifier: BSD-3-Clause */
/* drive.h - runs a watch: its clock, hooks, searches, progress and journal */
#ifndef PLINK_SRC_SRIFT_WATCH_DRIVE_H
#define PLINK_SRC_SRIFT_WATCH_DRIVE_H

#include "base/text/scratch.h"
#include "planner/srift/watch/follow.h"
#include "planner/srift/watch/hooks.h"
#include "planner/srift/watch/journal.h"
#include "planner/srift/watch/replan.h"
#include "planner/srift/watch/watch.h"
#include "src/srift/recommend.h"
#include "src/srift/watch/options.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most hooks that run at once. */
#define SRIFT_HOOKS_MAX 64

/* The hook of an act. */
struct srift_running {
	uint64_t id;
	enum pl_act_kind kind;
	struct pl_hook hook;
	struct pl_scratch_shared hosts; /* SRIFT_HOSTS, removed at its end */
};

/* Start with srift_drive_init(), end with fini. */
struct srift_drive {
	const struct srift_watch_options *o;
	struct pl_srift_watch watch;
	struct pl_journal journal;
	struct pl_journal_end place; /* added to every line of the journal */
	struct pl_follow follow;
	struct pl_beats beats;
	struct srift_running running[SRIFT_HOOKS_MAX];
	size_t n_running;
	int64_t begin_ns; /* of the monotonic clock */
	double begin_s;   /* time of the job at begin_ns */
	int64_t look_ns;  /* next look at heartbeats */
	bool leaving;     /* no more acts are begun */
	bool failed;      /* err has the reason */
	struct pl_err err;
};

/* Reads the journal, if there is one, and begins. 0, or -1 with @err set. */
int srift_drive_init(struct srift_drive *d, const struct srift_watch_options *o,
		     struct pl_err *err);

/* Runs until the job has ended or *stop is above 0. Then it waits for hooks
 * that are running; if *stop is above 1, it ends them. 0, or -1 with @err
 * set. */
int srift_drive_run(struct srift_drive *d, const volatile sig_atomic_t *stop, struct pl_err *err);
void srift_drive_fini(struct srift_drive *d);

/* The present time of the job, in seconds. */
double srift_drive_now_s(const struct srift_drive *d);

/* Reads all progress that is there now. 0, or -1 with @err set. */
int srift_drive_read(struct srift_drive *d, struct pl_err *err);

/* Keeps the first error; the run ends with it. */
void srift_drive_fail(struct srift_drive *d, const struct pl_err *err);

/* acts.c: begins an act, and reports to the watch the results of those that have ended. */
int srift_act_begin(struct srift_drive *d, struct pl_act *act, struct pl_err *err);
int srift_act_search(struct srift_drive *d, const struct pl_act *act,
		     struct pl_err *err); /* without a hook, at once */
int srift_acts_poll(struct srift_drive *d, struct pl_err *err);

/* environment.c: the variables for the hook of an act, and the file that one of them names. 0, or
 * -1 with @err set. */
int srift_environment(const struct srift_drive *d, const struct pl_act *act, struct pl_words *env,
		      struct pl_scratch_shared *hosts, struct pl_err *err);

/* tell.c: prints an event and journals it. */
void srift_tell(void *drive, const struct pl_srift_watch *w, const struct pl_watch_event *event);

/*
 * Finds machines for the question @base (profile, prices, network, objective, availability) within
 * the limits that @q leaves. Of a type and kind that ran out, only the machines that are up are
 * available. Searches once among the machines that are up, which need no launch, and once among all
 * machines. Takes the better result by the objective, including the time of a launch and what all
 * machines cost meanwhile. @fleet must be empty. 0, or -1 with it empty and @err set: PL_EPARTIAL
 * with the limit that binds.
 */
int srift_seek(const struct srift_question *base, const struct pl_replan *q,
	       struct pl_srift_fleet *fleet, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - functions shared by the parts of watch.h */
#ifndef PLINK_PLANNER_SRIFT_WATCH_PARTS_H
#define PLINK_PLANNER_SRIFT_WATCH_PARTS_H

#include "planner/json.h"
#include "planner/srift/watch/journal.h"
#include "planner/srift/watch/watch.h"

#define PL_JOURNAL_MAX ((size_t)1 << 30)

#define PL_EVENT(event, at)                                                                        \
	((struct pl_watch_event){.name = (event),                                                  \
				 .at_s = (at),                                                     \
				 .left_s = NAN,                                                    \
				 .saves_s = NAN,                                                   \
				 .mean_s = NAN,                                                    \
				 .likely_s = NAN,                                                  \
				 .finish_s = NAN})

/* Advances as far as possible now. 0, or -1: out of memory; so all below. */
int pl_watch_step(struct pl_srift_watch *w, double now_s);

int pl_watch_add(struct pl_srift_watch *w, const struct pl_act *act);

/* Requests no more machines of that type and kind; the type is copied. */
int pl_watch_exclude(struct pl_srift_watch *w, const struct pl_depleted *d);
bool pl_watch_excludes(const struct pl_srift_watch *w, const char *type, bool spot);

/* Ends the training, saves its model and searches for other machines. */
int pl_watch_interrupt(struct pl_srift_watch *w, double now_s);

/* Ends the watch before the job is done. */
int pl_watch_give_up(struct pl_srift_watch *w, double now_s, const char *event, const char *why);

/* Stops all machines, and ends the watch. */
int pl_watch_finish(struct pl_srift_watch *w, double now_s);

/* Reports if the training, as it runs, will be too late or too expensive. */
void pl_watch_judge(struct pl_srift_watch *w, double now_s);

/* Reports if the training is slower than predicted. */
void pl_watch_judge_speed(struct pl_srift_watch *w, double now_s);

struct pl_replan_clock pl_watch_clock(const struct pl_srift_watch *w, double now_s);

/* What ran out and why, as JSON; owned by the caller. NULL: out of memory. */
json_t *pl_watch_excluded_json(const struct pl_srift_watch *w);

/* The complete state without the job (watch->job), as JSON. Owned by the caller; NULL: out of
 * memory. */
json_t *pl_watch_save(const struct pl_srift_watch *w);

/* Restores the state into a watch made by pl_watch_init(). 0, or -1 with the watch as it was and
 * @err set: PL_EINPUT with the place. */
int pl_watch_restore(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err);

/* Does the line begin as those of journals do? 0, or -1 with @err set. */
int pl_journal_check_line(const struct pl_line *line, struct pl_err *err);

/* Restores the state of a line of @text into a watch made by pl_watch_init(). 0, or -1 with @err
 * set: PL_EINPUT with the place in @text. */
int pl_journal_take_line(const struct pl_text *text, const struct pl_line *line,
			 struct pl_srift_watch *w, struct pl_journal_end *end, struct pl_err *err);

#endif

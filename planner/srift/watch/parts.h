/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what the parts of watch.h share */
#ifndef PLINK_PLANNER_SRIFT_WATCH_PARTS_H
#define PLINK_PLANNER_SRIFT_WATCH_PARTS_H

#include "planner/srift/watch/watch.h"

#define PL_EVENT(event, at)                                                    \
	(struct pl_watch_event)                                                \
	{                                                                      \
		.name = (event), .at_s = (at), .left_s = NAN, .finish_s = NAN  \
	}

/* Goes on as far as can be done now. 0, or -1: no memory; so all below. */
int pl_watch_step(struct pl_srift_watch *w, double now_s);

int pl_watch_add(struct pl_srift_watch *w, const struct pl_act *act);

/* No further machines of that type. */
int pl_watch_exclude(struct pl_srift_watch *w, const char *type);
bool pl_watch_excludes(const struct pl_srift_watch *w, const char *type);

/* The machine is gone. */
int pl_watch_lose(struct pl_srift_watch *w, double now_s, size_t node,
		  const char *why);

/* The training is to be ended, its model saved, and other machines found. */
int pl_watch_interrupt(struct pl_srift_watch *w, double now_s);

/* Makes it so: machines kept, stopped, and to be launched. */
int pl_watch_adopt(struct pl_srift_watch *w, double now_s,
		   struct pl_srift_fleet *fleet);

/* Ends without having finished. */
int pl_watch_give_up(struct pl_srift_watch *w, double now_s, const char *event,
		     const char *why);

/* Stops all machines, and ends. */
int pl_watch_finish(struct pl_srift_watch *w, double now_s);

/* Of what the training takes, as it runs: is it too late, or too dear? */
void pl_watch_judge(struct pl_srift_watch *w, double now_s);

struct pl_replan_clock pl_watch_clock(const struct pl_srift_watch *w,
				      double now_s);

#endif

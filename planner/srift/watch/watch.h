/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - decides what to do about the machines of a job, and when */
/* Srift's runtime (srift 4.5) without clock, processes and files: the caller reports what happens
 * at what time, and the watch lists what must be done. Seconds are those of the job, from its
 * begin; they never go back. */
#ifndef PLINK_PLANNER_SRIFT_WATCH_WATCH_H
#define PLINK_PLANNER_SRIFT_WATCH_WATCH_H

#include "base/err.h"
#include "planner/srift/watch/nodes.h"
#include "planner/srift/watch/progress.h"
#include "planner/srift/watch/replan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_watch_job {
	uint64_t iterations; /* of the whole job */
	double time_limit_s; /* of the whole job; INFINITY: none */
	double budget;       /* dollars of the whole job; INFINITY: none */
	struct pl_replan_times times;
	double silence_s;    /* a machine silent for this long is lost; 0: never */
	double progress_s;   /* least time between two progress events */
	bool can_checkpoint; /* a checkpoint is possible */
	bool can_stop;
	bool stop_unmet;   /* if no machines are found, stop those that are up */
	bool stop_spent;   /* if time or money is spent, stop them as well */
	bool spot_returns; /* after a loss its type may be launched again */
	double slow;       /* share by which measured speed may stay below that
			    * predicted, untold; 0: it is never told */
};

enum pl_act_kind {
	PL_ACT_SEARCH,     /* search for machines: pl_watch_question() */
	PL_ACT_CHECKPOINT, /* save the model on a machine, end the training */
	PL_ACT_LAUNCH,     /* launch machines of a part of the fleet */
	PL_ACT_START,      /* start the training on all that are UP */
	PL_ACT_STOP,       /* stop a machine; release what a lost one held */
};

/* An act that the caller must do. */
struct pl_act {
	enum pl_act_kind kind;
	uint64_t id; /* the same id if the act is repeated after a restart */
	bool begun;  /* set by the caller */
	double begun_s;
	size_t node;        /* CHECKPOINT, STOP */
	size_t part, count; /* LAUNCH: part of the fleet, machines of it */
	int tries;
};

/* The result of an act. Borrowed, except for the fleet. */
struct pl_act_result {
	const char *failed;           /* NULL: done; else why it failed */
	struct pl_srift_fleet *fleet; /* SEARCH: moved out, left empty */
	/* LAUNCH: the machines that are up, even if it failed */
	char *const *name;
	size_t n_names;
	bool saved_told; /* CHECKPOINT: saved has the iterations saved */
	uint64_t saved;
};

enum pl_watch_phase {
	PL_WATCH_SETTLE, /* until all acts under way have ended */
	PL_WATCH_SEARCH,
	PL_WATCH_LAUNCH,
	PL_WATCH_START,
	PL_WATCH_RUN,
	PL_WATCH_FINISH, /* machines are being stopped */
	PL_WATCH_ENDED,
};

/* An event; members that do not apply are NULL or NaN. */
struct pl_watch_event {
	const char *name; /* plink-srift(1) lists them */
	double at_s;
	const char *host, *type, *why;
	double left_s;   /* seconds for the iterations */
	double finish_s; /* expected end of the last iteration */
	double mean_s;   /* the same with losses, in the mean */
	double likely_s; /* and with the confidence of the search */
	double saves_s;  /* seconds that a restart in another order saves */
	size_t count;    /* of machines; 0: does not apply */
};

struct pl_srift_watch;
typedef void (*pl_watch_teller)(void *ctx, const struct pl_srift_watch *w,
				const struct pl_watch_event *event);

/* Start with pl_watch_init(), end with fini. Callers may read it, and may change only act[].begun
 * and begun_s. */
struct pl_srift_watch {
	struct pl_watch_job job;
	pl_watch_teller tell;
	void *ctx;
	enum pl_watch_phase phase;
	struct pl_nodes nodes;
	struct pl_srift_fleet fleet;  /* found last */
	struct pl_depleted *excluded; /* [n_excluded] */
	size_t n_excluded, excluded_room;
	struct pl_act *act; /* [n_acts] not ended yet */
	size_t n_acts, acts_room;
	uint64_t next_id;
	uint64_t iteration; /* finished */
	uint64_t saved;
	bool saved_known;
	double bill;          /* bill minus dollars computed from prices */
	double interrupted_s; /* last interruption; NaN: none since the training
				 runs */
	bool replan;          /* the fleet differs, or will differ, from that found */
	bool trained;         /* a training may be running */
	bool finished;        /* the job reported "done" */
	bool unmet;           /* ended without finishing */
	size_t n_unstopped;   /* machines that could not be stopped */
	double run_s;         /* begin of the present training */
	uint64_t run_iteration;
	double restart_s; /* from run_s to its first iteration; 0: not known */
	double window_s;  /* begin of the present measurement of speed; 0: none
			   */
	uint64_t window_iteration;
	bool slow_told;
	size_t slow_node; /* the machine that was told; SIZE_MAX: none */
	bool late_told, dear_told, reorder_told;
	double progress_s; /* time of the last progress event */
	double tick_s;
};

void pl_watch_init(struct pl_srift_watch *w, const struct pl_watch_job *job, pl_watch_teller tell,
		   void *ctx);
void pl_watch_fini(struct pl_srift_watch *w);

/* Each of these functions takes the time, does what follows from its event, and adds to act[]. 0,
 * or -1 with @err set: out of memory; the job is then no longer watched. */

/* Begins a new job, or continues one read from its journal: acts that had begun begin again. */
int pl_watch_begin(struct pl_srift_watch *w, double now_s, struct pl_err *err);
int pl_watch_progress(struct pl_srift_watch *w, double now_s, const struct pl_said *p,
		      struct pl_err *err);
int pl_watch_act_ended(struct pl_srift_watch *w, double now_s, uint64_t id,
		       const struct pl_act_result *result, struct pl_err *err);
int pl_watch_tick(struct pl_srift_watch *w, double now_s, struct pl_err *err);

/* The question for a search now. @up must be empty; the caller ends it, and *q borrows from it. 0,
 * or -1: out of memory. */
int pl_watch_question(const struct pl_srift_watch *w, double now_s, struct pl_replan *q,
		      struct pl_srift_fleet *up);

/* Dollars until now. */
double pl_watch_dollars(const struct pl_srift_watch *w, double now_s);

/* Iterations still to do. */
uint64_t pl_watch_remaining(const struct pl_srift_watch *w);

#endif

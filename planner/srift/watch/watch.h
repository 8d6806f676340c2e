/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - what to do about a job's machines, and when */
/*
 * Srift's runtime (srift 4.5) without clock, processes and files: it is told
 * what happens and at what time, and says what is to be done. Seconds are the
 * job's, from its begin; they never go back.
 */
#ifndef PLINK_PLANNER_SRIFT_WATCH_WATCH_H
#define PLINK_PLANNER_SRIFT_WATCH_WATCH_H

#include "base/err.h"
#include "base/text/words.h"
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
	double silence_s;  /* a machine that is silent so long is lost; 0: none
			      is */
	double progress_s; /* progress is told at most that often */
	bool can_checkpoint; /* there is somebody who does it */
	bool can_stop;
	bool stop_unmet; /* where no machines are found: stop those there are */
};

enum pl_act_kind {
	PL_ACT_SEARCH,     /* for machines: pl_watch_question() */
	PL_ACT_CHECKPOINT, /* save the model on a machine, end the training */
	PL_ACT_LAUNCH,     /* machines of a part of the fleet */
	PL_ACT_START,      /* the training, on all that are UP */
	PL_ACT_STOP,       /* a machine; release what a lost one held */
};

/* To be done by the caller. */
struct pl_act {
	enum pl_act_kind kind;
	uint64_t id; /* the same again if it must be done again after a
		      * restart */
	bool begun;  /* the caller's */
	double begun_s;
	size_t node;        /* CHECKPOINT, STOP */
	size_t part, count; /* LAUNCH: of the fleet */
	int tries;
};

/* How it went. Borrowed, but for the fleet. */
struct pl_act_result {
	const char *failed;           /* NULL: done; else why not */
	struct pl_srift_fleet *fleet; /* SEARCH: taken, and left empty */
	/* LAUNCH: the machines that are there, though it may have failed */
	char *const *name;
	size_t n_names;
	bool saved_told; /* CHECKPOINT: so many iterations are saved */
	uint64_t saved;
};

enum pl_watch_phase {
	PL_WATCH_SETTLE, /* until all that was under way is through */
	PL_WATCH_SEARCH,
	PL_WATCH_LAUNCH,
	PL_WATCH_START,
	PL_WATCH_RUN,
	PL_WATCH_FINISH, /* machines are being stopped */
	PL_WATCH_ENDED,
};

/* Something that happened; what does not apply is NULL or NaN. */
struct pl_watch_event {
	const char *name; /* plink-srift(1) lists them */
	double at_s;
	const char *host, *type, *why;
	double left_s;   /* that the iterations may take */
	double finish_s; /* when all are expected to be done */
	size_t count;    /* of machines; 0: does not apply */
};

struct pl_srift_watch;
typedef void (*pl_watch_teller)(void *ctx, const struct pl_srift_watch *w,
				const struct pl_watch_event *event);

/* Start with pl_watch_init(), end with fini. Read it, and change nothing but
 * act[].begun and begun_s. */
struct pl_srift_watch {
	struct pl_watch_job job;
	pl_watch_teller tell;
	void *ctx;
	enum pl_watch_phase phase;
	struct pl_nodes nodes;
	struct pl_srift_fleet fleet; /* found last */
	struct pl_words excluded;    /* types that ran out */
	struct pl_act *act;          /* [n_acts] not through yet */
	size_t n_acts, acts_room;
	uint64_t next_id;
	uint64_t iteration; /* finished */
	uint64_t saved;
	bool saved_known;
	double bill; /* dollars that the bill is above what was reckoned */
	double interrupted_s; /* last; NaN: not since the training runs */
	bool replan;   /* the fleet is not what was found, or will not be */
	bool trained;  /* there may be a training under way */
	bool finished; /* the job said so */
	bool unmet;    /* ended without finishing */
	size_t n_unstopped; /* machines that could not be stopped */
	double run_s;       /* since when the training runs */
	uint64_t run_iteration;
	bool late_told, dear_told;
	double progress_s; /* when progress was last told */
	double tick_s;
};

void pl_watch_init(struct pl_srift_watch *w, const struct pl_watch_job *job,
		   pl_watch_teller tell, void *ctx);
void pl_watch_fini(struct pl_srift_watch *w);

/* Each of these takes the time, does what follows, and adds to act[]. 0, or -1
 * with @err set: no memory, and the job is as good as unwatched. */

/* A new job, or one read from its journal: its acts that had begun begin
 * anew. */
int pl_watch_begin(struct pl_srift_watch *w, double now_s, struct pl_err *err);
int pl_watch_progress(struct pl_srift_watch *w, double now_s,
		      const struct pl_said *p, struct pl_err *err);
int pl_watch_act_ended(struct pl_srift_watch *w, double now_s, uint64_t id,
		       const struct pl_act_result *result, struct pl_err *err);
int pl_watch_tick(struct pl_srift_watch *w, double now_s, struct pl_err *err);

/* When pl_watch_tick() is wanted next; INFINITY: not by itself. */
double pl_watch_deadline_s(const struct pl_srift_watch *w);

/* What a search is to be asked now. @up must be empty; the caller ends it, and
 * *q borrows from it. 0, or -1: no memory. */
int pl_watch_question(const struct pl_srift_watch *w, double now_s,
		      struct pl_replan *q, struct pl_srift_fleet *up);

/* Dollars until now. */
double pl_watch_dollars(const struct pl_srift_watch *w, double now_s);

/* Iterations still to do. */
uint64_t pl_watch_remaining(const struct pl_srift_watch *w);

#endif

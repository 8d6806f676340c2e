/* SPDX-License-Identifier: BSD-3-Clause */
/* restarts.h - the restarts of a search, shared among threads */
#ifndef PLINK_SOLVER_RESTARTS_H
#define PLINK_SOLVER_RESTARTS_H

#include "base/err.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_restarts_progress {
	uint64_t restarts, moves; /* done */
	double cost;              /* cost of the best order so far */
};

/* The work to do, and the number of threads for it. */
struct pl_restarts_plan {
	size_t n;              /* hosts */
	uint64_t moves, share; /* in all; the most that one restart gets */
	uint64_t limit;        /* restarts */
	/* from this restart on each restart has twice its share, from twice this number on four
	 * times, ...; 0: never */
	uint64_t doubling;
	/* no restart begins before all those with smaller shares were handed in, so that what it is
	 * to do can depend on them */
	bool waits;
	unsigned threads; /* >= 1 */
	/* called after a restart, by any of the threads, one at a time */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

/* Restarts are numbered. Each has its share of the moves beforehand, and results are compared by
 * (cost, number), so that the number of threads does not change the best result. Start with init,
 * end with fini. */
struct pl_restarts {
	struct pl_restarts_plan plan;
	/* restarts from this number on are not wanted: there are no moves left for them, or an
	 * earlier one reached the target */
	atomic_uint_fast64_t limit;
	pthread_mutex_t lock; /* for all below, and for writing limit */
	uint64_t next;        /* next restart to start */
	uint64_t given;       /* moves given to the restarts before next */
	uint64_t *moves;      /* moves done, by restart */
	size_t moves_room;
	struct pl_restarts_progress progress;
	pthread_cond_t handed_in;
	size_t *best; /* [n] valid once a restart is done */
	/* [n] with plan.waits, once there was one: the best before the shares last doubled */
	size_t *leader;
	double best_cost;
	uint64_t best_number;
	bool reached, stopped;
	struct pl_err err;
};

/* 0, or -1 with @err set and nothing to release. */
int pl_restarts_init(struct pl_restarts *s, const struct pl_restarts_plan *plan,
		     struct pl_err *err);
void pl_restarts_fini(struct pl_restarts *s);

/* Gives a thread its next restart; false: no more restarts. */
bool pl_restarts_take(struct pl_restarts *s, uint64_t *number, uint64_t *moves);

/* Why a restart ended. */
enum pl_restart_end {
	PL_RESTART_SPENT,   /* all moves were done */
	PL_RESTART_REACHED, /* the target was reached */
	PL_RESTART_STOPPED, /* by stop or limit */
};

/* The result of one restart. */
struct pl_restarts_done {
	uint64_t number, moves;
	const size_t *order; /* [n], copied if it is the best so far */
	double cost;
	enum pl_restart_end end;
};

/* Takes in a result. Of the restarts that reached the target, the one with the lowest number is
 * kept, whatever the last bits of its cost: with another number of threads the later ones might not
 * have been started. */
void pl_restarts_hand_in(struct pl_restarts *s, const struct pl_restarts_done *done);

/* Reports that a thread failed; no more restarts are started. */
void pl_restarts_fail(struct pl_restarts *s, const struct pl_err *err);

/* Runs @work with @arg in as many threads as planned, including the calling one, until all are
 * done. 0, or -1 with @err set: the error of a thread, or out of memory. */
int pl_restarts_run(struct pl_restarts *s, void *(*work)(void *arg), void *arg, struct pl_err *err);

/* The restarts and moves that count: those up to the restart that ended the search. */
void pl_restarts_sum(const struct pl_restarts *s, uint64_t *restarts, uint64_t *moves);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* restarts.h - restarts of a search shared out among threads */
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
	double cost;              /* of the best so far */
};

/* What is to be done by how many. */
struct pl_restarts_plan {
	size_t n;              /* hosts */
	uint64_t moves, share; /* in all, and what each restart gets at most */
	uint64_t limit;        /* restarts */
	/* from this restart on each has twice its share, from twice it on
	 * four times, ...; 0: never */
	uint64_t doubling;
	unsigned threads; /* >= 1 */
	/* called after a restart, by any of the threads, one at a time */
	void (*progress)(void *arg, const struct pl_restarts_progress *now);
	void *progress_arg;
};

/*
 * Restarts are numbered; each has its share of the moves beforehand, and
 * results are compared by (cost, number): so threads change nothing about the
 * best. Start with init, end with fini.
 */
struct pl_restarts {
	struct pl_restarts_plan plan;
	/* restarts from this number on are not wanted: there are no moves for
	 * them, or an earlier one reached the target */
	atomic_uint_fast64_t limit;
	pthread_mutex_t lock; /* for all below, and for writing limit */
	uint64_t next;        /* restart to be started */
	uint64_t given;       /* moves, to those before it */
	uint64_t *moves;      /* by restart: those done */
	size_t moves_room;
	struct pl_restarts_progress progress;
	size_t *best; /* [n] once any restart is done */
	double best_cost;
	uint64_t best_number;
	bool reached, stopped;
	struct pl_err err;
};

/* 0, or -1 with @err set and nothing to release. */
int pl_restarts_init(struct pl_restarts *s, const struct pl_restarts_plan *plan,
		     struct pl_err *err);
void pl_restarts_fini(struct pl_restarts *s);

/* What a thread has to do next; false: nothing more. */
bool pl_restarts_take(struct pl_restarts *s, uint64_t *number, uint64_t *moves);

/* How one restart went. */
struct pl_restarts_done {
	uint64_t number, moves;
	const size_t *order; /* [n], copied where it is the best */
	double cost;
	bool reached; /* the target */
	bool stopped; /* before its moves were used up */
};

/* Of those that reached the target the first is kept, whatever the last bits of
 * its cost: later ones might not have been started. */
void pl_restarts_hand_in(struct pl_restarts *s,
			 const struct pl_restarts_done *done);

/* A thread cannot go on; no more restarts are started. */
void pl_restarts_fail(struct pl_restarts *s, const struct pl_err *err);

/* Runs @work with @arg in the plan's threads, this one among them, till all are
 * done. 0, or -1 with @err set: what a thread failed with, memory. */
int pl_restarts_run(struct pl_restarts *s, void *(*work)(void *arg), void *arg,
		    struct pl_err *err);

/* Restarts and moves that count: those up to the one that ended the search. */
void pl_restarts_sum(const struct pl_restarts *s, uint64_t *restarts,
		     uint64_t *moves);

#endif

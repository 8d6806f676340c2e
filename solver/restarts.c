/* SPDX-License-Identifier: BSD-3-Clause */
/* restarts.c - restarts of a search, divided among threads */
#include "config.h"

#include "solver/restarts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pl_restarts_init(struct pl_restarts *s, const struct pl_restarts_plan *plan, struct pl_err *err)
{
	memset(s, 0, sizeof(*s));
	s->plan = *plan;
	s->limit = plan->limit;
	s->best_cost = INFINITY;
	s->best = pl_array_create(plan->n, sizeof(*s->best));
	s->leader = pl_array_create(plan->n, sizeof(*s->leader));
	if (!s->best || !s->leader) {
		free(s->best);
		free(s->leader);
		return pl_err_nomem(err);
	}
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->handed_in, NULL);
	return 0;
}

void pl_restarts_fini(struct pl_restarts *s)
{
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->handed_in);
	free(s->moves);
	free(s->best);
	free(s->leader);
	memset(s, 0, sizeof(*s));
}

/* The largest number that @plan has for a restart. */
static uint64_t share_of(const struct pl_restarts_plan *plan, uint64_t number)
{
	uint64_t doublings = 0;

	if (plan->doubling > 0)
		doublings = number / plan->doubling;
	if (doublings >= 64 || plan->share > UINT64_MAX >> doublings)
		return UINT64_MAX;
	return plan->share << doublings;
}

static bool goes_on(const struct pl_restarts *s)
{
	return s->next < s->limit && (s->next == 0 || s->plan.moves > s->given) && !s->stopped &&
	       s->err.code == PL_OK;
}

/* The lock is held. */
static void wait_for_smaller(struct pl_restarts *s)
{
	uint64_t first;

	if (!s->plan.waits || s->plan.doubling == 0)
		return;
	for (;;) { /* others may have taken some meanwhile */
		first = s->next - s->next % s->plan.doubling;
		if (!goes_on(s) || s->progress.restarts >= first)
			break;
		pthread_cond_wait(&s->handed_in, &s->lock);
	}
	if (first > 0 && first == s->next)
		memcpy(s->leader, s->best, s->plan.n * sizeof(*s->leader));
}

bool pl_restarts_take(struct pl_restarts *s, uint64_t *number, uint64_t *moves)
{
	uint64_t share, left;
	bool any;

	pthread_mutex_lock(&s->lock);
	wait_for_smaller(s);
	left = s->plan.moves - s->given;
	any = goes_on(s);
	if (any && pl_array_grow((void **)&s->moves, &s->moves_room, s->next, sizeof(*s->moves))) {
		pl_err_nomem(&s->err);
		any = false;
	}
	share = share_of(&s->plan, s->next);
	*number = s->next;
	*moves = left < share ? left : share;
	if (any) {
		s->next++;
		s->given += *moves;
	}
	pthread_mutex_unlock(&s->lock);
	return any;
}

static bool is_better(const struct pl_restarts *s, const struct pl_restarts_done *done)
{
	if (done->end == PL_RESTART_REACHED || s->reached)
		return done->end == PL_RESTART_REACHED;
	return done->cost < s->best_cost ||
	       (done->cost == s->best_cost && done->number < s->best_number);
}

/* The lock is held. */
static void keep(struct pl_restarts *s, const struct pl_restarts_done *done)
{
	if (is_better(s, done)) {
		memcpy(s->best, done->order, s->plan.n * sizeof(*s->best));
		s->best_cost = done->cost;
		s->best_number = done->number;
	}
	if (done->end == PL_RESTART_REACHED) {
		s->reached = true;
		s->limit = done->number + 1;
	} else if (done->end == PL_RESTART_STOPPED) {
		s->stopped = true;
	}
	s->progress.restarts++;
	s->progress.moves += done->moves;
	s->progress.cost = s->best_cost;
	if (s->plan.progress)
		s->plan.progress(s->plan.progress_arg, &s->progress);
}

void pl_restarts_hand_in(struct pl_restarts *s, const struct pl_restarts_done *done)
{
	pthread_mutex_lock(&s->lock);
	s->moves[done->number] = done->moves;
	if (done->number < s->limit)
		keep(s, done);
	pthread_cond_broadcast(&s->handed_in);
	pthread_mutex_unlock(&s->lock);
}

void pl_restarts_fail(struct pl_restarts *s, const struct pl_err *err)
{
	pthread_mutex_lock(&s->lock);
	s->err = *err;
	pthread_cond_broadcast(&s->handed_in);
	pthread_mutex_unlock(&s->lock);
}

/* A thread that cannot be started is not needed. */
int pl_restarts_run(struct pl_restarts *s, void *(*work)(void *arg), void *arg, struct pl_err *err)
{
	uint64_t want = s->plan.threads;
	pthread_t *thread;
	size_t n_started = 0;

	if (want > s->limit)
		want = s->limit;
	thread = pl_array_create(want, sizeof(*thread));
	if (!thread)
		return pl_err_nomem(err);
	while (n_started + 1 < want && !pthread_create(&thread[n_started], NULL, work, arg))
		n_started++;
	work(arg);
	for (size_t i = 0; i < n_started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	if (s->err.code != PL_OK) {
		if (err)
			*err = s->err;
		return -1;
	}
	return 0;
}

void pl_restarts_sum(const struct pl_restarts *s, uint64_t *restarts, uint64_t *moves)
{
	*restarts = s->next < s->limit ? s->next : s->limit;
	*moves = 0;
	for (uint64_t i = 0; i < *restarts; i++)
		*moves += s->moves[i];
}

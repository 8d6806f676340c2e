/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c - the threads of a hub, each of which has chunks of its own */
#include "config.h"

#include "src/hub/team.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void hub_fail(const struct pl_mesh *mesh, struct pl_err *why)
{
	pl_hub_take_why(mesh, why);
	pl_hub_tell_why(mesh, why->text);
	pl_mesh_stop(mesh);
}

/* The thread's chunks of the call. The first to fail says why. */
static void run(struct hub_thread *t)
{
	struct hub_team *team = t->team;
	const struct pl_hub_call *told = team->told;

	/* (the engine counts one on) */
	t->engine.call = (uint8_t)(told->number - 1);
	t->engine.patience_ns = (int64_t)told->patience_ns;
	if (pl_engine_allreduce(&t->engine, told->schedule, team->call, &t->err) == 0 ||
	    __atomic_exchange_n(&team->failed, true, __ATOMIC_ACQ_REL))
		return;
	hub_fail(team->mesh, &t->err);
	team->why = t->err;
}

static void *work(void *arg)
{
	struct hub_thread *t = arg;
	struct hub_team *team = t->team;
	uint64_t turn = 0;

	pthread_mutex_lock(&team->lock);
	for (;;) {
		while (team->turn == turn)
			pthread_cond_wait(&team->changed, &team->lock);
		turn = team->turn;
		if (!team->told)
			break;
		pthread_mutex_unlock(&team->lock);
		run(t);
		pthread_mutex_lock(&team->lock);
		if (--team->n_busy == 0)
			pthread_cond_broadcast(&team->changed);
	}
	pthread_mutex_unlock(&team->lock);
	return NULL;
}

/* What the other threads are to do now. */
static void begin(struct hub_team *team, const struct pl_hub_call *told,
		  const struct pl_allreduce_call *call)
{
	pthread_mutex_lock(&team->lock);
	team->told = told;
	team->call = call;
	team->n_busy = team->n - 1;
	team->turn++;
	pthread_cond_broadcast(&team->changed);
	pthread_mutex_unlock(&team->lock);
}

int hub_team_run(struct hub_team *team, const struct pl_hub_call *told,
		 const struct pl_allreduce_call *call, struct pl_err *err)
{
	begin(team, told, call);
	run(&team->thread[0]);
	pthread_mutex_lock(&team->lock);
	while (team->n_busy > 0)
		pthread_cond_wait(&team->changed, &team->lock);
	pthread_mutex_unlock(&team->lock);
	if (team->failed)
		*err = team->why;
	return team->failed ? -1 : 0;
}

void hub_team_resume(struct hub_team *team)
{
	for (size_t k = 0; k < team->n; k++)
		pl_engine_resume(&team->thread[k].engine);
}

/* Thread @k of @n; the first one is there already. */
static int start(struct hub_team *team, size_t k, size_t n, const struct pl_rank_part *part,
		 struct pl_err *err)
{
	struct hub_thread *t = &team->thread[k];
	const struct pl_mesh_share share = {.lanes = {.k = k, .n = n}};

	*t = (struct hub_thread){.team = team, .engine = {.part = part}};
	if (pl_mesh_view(&t->engine.mesh, team->mesh, share, err))
		return -1;
	errno = k == 0 ? 0 : pthread_create(&t->id, NULL, work, t);
	if (errno == 0) {
		team->n++;
		return 0;
	}
	pl_engine_fini(&t->engine);
	return pl_err_errno(err, "no thread");
}

int hub_team_init(struct hub_team *team, const struct pl_mesh *mesh,
		  const struct pl_rank_part *part, size_t n, struct pl_err *err)
{
	const size_t most = mesh->options.n_lanes;
	int rc;

	n = n < most ? n : most;
	*team = (struct hub_team){.mesh = mesh};
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->changed, NULL);
	team->thread = pl_array_create(n, sizeof(*team->thread));
	rc = team->thread ? 0 : pl_err_nomem(err);
	for (size_t k = 0; rc == 0 && k < n; k++)
		rc = start(team, k, n, part, err);
	if (rc)
		hub_team_fini(team);
	return rc;
}

void hub_team_fini(struct hub_team *team)
{
	if (!team->mesh)
		return;
	begin(team, NULL, NULL);
	for (size_t k = 1; k < team->n; k++)
		pthread_join(team->thread[k].id, NULL);
	for (size_t k = 0; k < team->n; k++)
		pl_engine_fini(&team->thread[k].engine);
	pthread_cond_destroy(&team->changed);
	pthread_mutex_destroy(&team->lock);
	free(team->thread);
	memset(team, 0, sizeof(*team));
}

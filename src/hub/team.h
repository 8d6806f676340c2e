/* SPDX-License-Identifier: BSD-3-Clause */
/* team.h - the threads of a hub, each of which has chunks of its own */
/*
 * A thread serves some connections of every rank, and all chunks that go
 * through them: it receives a chunk, adds it up, finishes it and sends it,
 * and shares with the others only the buffer, in which no two have the same
 * place. They meet between calls.
 */
#ifndef PLINK_SRC_HUB_TEAM_H
#define PLINK_SRC_HUB_TEAM_H

#include "base/err.h"
#include "engine/engine.h"
#include "engine/hub.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub_thread {
	struct hub_team *team;
	struct pl_engine engine;
	pthread_t id;
	struct pl_err err;
};

/* Start with {0}, end with fini. */
struct hub_team {
	const struct pl_mesh *mesh;
	struct hub_thread *thread; /* [n]; the first is who calls run */
	size_t n;
	/* the lock is of what follows, and is held between calls only */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t turn;                  /* of the present call */
	size_t n_busy;                  /* other threads that have not ended it */
	const struct pl_hub_call *told; /* NULL: there is no more */
	const struct pl_allreduce_call *call;
	bool failed; /* atomic; then why is set, by one thread */
	struct pl_err why;
};

/* @n threads, but no more than a rank has connections. The mesh is connected, and lasts, as the
 * part does. 0, or -1 with @err set and nothing to fini. */
int hub_team_init(struct hub_team *team, const struct pl_mesh *mesh,
		  const struct pl_rank_part *part, size_t n, struct pl_err *err);
void hub_team_fini(struct hub_team *team);

/* Makes the call. 0, or -1 with @err set and all ranks told why; then the team can only be
 * ended. */
int hub_team_run(struct hub_team *team, const struct pl_hub_call *told,
		 const struct pl_allreduce_call *call, struct pl_err *err);

/* The connections have been served by others since the last call. */
void hub_team_resume(struct hub_team *team);

/* A call has failed: tells the ranks why, which a rank may have told, and has all threads that
 * serve connections of the mesh end. */
void hub_fail(const struct pl_mesh *mesh, struct pl_err *why);

#endif

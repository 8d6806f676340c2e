/* SPDX-License-Identifier: BSD-3-Clause */
/* hub.h - what ranks and hubs tell one another beside the chunks */
/*
 * A hub adds up what the ranks send it; it makes no calls by itself. So each rank tells the hubs of
 * a schedule what it is about to call, on the connection that carries no chunks; the first one to
 * say so has the hub begin. Who fails says why, before it closes its connections: of the ranks,
 * none may have a connection to the one that failed.
 */
#ifndef PLINK_ENGINE_HUB_H
#define PLINK_ENGINE_HUB_H

#include "base/err.h"
#include "engine/mesh.h"
#include "engine/part.h"
#include "engine/update.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last four are of parameters (keys.h), as FLOAT and SUM. */
enum pl_hub_what {
	PL_HUB_ALLREDUCE,
	PL_HUB_PUSH,
	PL_HUB_PULL,
	PL_HUB_PUSH_PULL,
	PL_HUB_ASYNC, /* begins asynchronous calls */
	PL_HUB_WHATS,
};

struct pl_hub_call {
	enum pl_hub_what what;
	/* of the rank's calls, from 1; asynchronous ones, PULL and PUSH_PULL, have that of the
	 * ASYNC that began them */
	uint64_t number;
	uint64_t count; /* elements, more than 0 */
	uint64_t patience_ns;
	uint32_t schedule, type, op; /* numbers of the lists in reduce.h */
	uint32_t key;                /* of parameters */
	struct pl_update update;     /* of a push */
	uint32_t staleness;          /* ASYNC: how many steps ahead of others */
	uint32_t step;               /* of asynchronous calls: their number since ASYNC */
};

/* What the engine counts on from to an asynchronous call. A rank begins its next one, or any other
 * call, before the hub has seen the end of this one: so two in a row differ, and none is like those
 * up to half of 256 before or after. */
static inline uint8_t pl_hub_async_call(const struct pl_hub_call *call)
{
	return (uint8_t)(call->number + 127 + call->step % 2);
}

/* A rank that ends calls before others have begun them, as it does with halves (allreduce.h), may
 * be as many calls ahead. */
#define PL_HUB_AHEAD_MAX 32

/* Tells the hubs that rank exchanges chunks with in that schedule, or, of ASYNC, all hubs that it
 * knows. 0, or -1 with @err set, PL_ESYSTEM: a hub has gone. */
int pl_hub_tell(const struct pl_mesh *m, const struct pl_rank_part *part,
		const struct pl_hub_call *call, struct pl_err *err);

/* Says why: a hub to all its ranks, a rank to its hubs. Errors have no
 * effect. */
void pl_hub_tell_why(const struct pl_mesh *m, const char *why);

/* Where a peer has said why it failed, that replaces what @err has. */
void pl_hub_take_why(const struct pl_mesh *m, struct pl_err *err);

/* What a hub knows of the ranks: start with {.mesh}, end with fini. */
struct pl_hub_ears {
	const struct pl_mesh *mesh;
	bool *ended;             /* [n_ranks] */
	struct pl_hub_call last; /* the present call; number 0: none yet */
	/* the last ones, call k at k modulo the length */
	struct pl_hub_call seen[2 * PL_HUB_AHEAD_MAX];
};

int pl_hub_ears_init(struct pl_hub_ears *e, const struct pl_mesh *m, struct pl_err *err);
void pl_hub_ears_fini(struct pl_hub_ears *e);

/* Waits for the next call, which becomes e->last: 1; 0: all ranks have ended; -1 with @err set:
 * PL_EINPUT for ranks that call something else, PL_ESYSTEM for one whose machine is lost or that
 * has failed. */
int pl_hub_hear(struct pl_hub_ears *e, struct pl_err *err);

/* After ASYNC, which is e->last: waits for the next call of that rank alone. 1: *call is
 * asynchronous; 0: the next one is not, and is left to pl_hub_hear(), or the rank has ended, or
 * @stop can be read; -1 as above. One thread for each rank. */
int pl_hub_hear_rank(const struct pl_hub_ears *e, uint32_t rank, int stop, struct pl_hub_call *call,
		     struct pl_err *err);

#endif

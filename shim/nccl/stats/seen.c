/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.c - communicators whose calls are counted: their ranks, and their
 * order */
#include "config.h"

#include "shim/nccl/stats/seen.h"

#include "shim/nccl/handles.h"
#include "shim/nccl/order.h"

#include <pthread.h>
#include <string.h>

static const struct {
	const char *order, *why;
} words[PL_ROUTES] = {
	[PL_ROUTE_ANY] = {"any", "-"},
	[PL_ROUTE_PLANNED] = {"planned", "-"},
	[PL_ROUTE_TWO_LEVEL] = {"two-level", "-"},
	[PL_ROUTE_FUNCTION] = {"given", "function"},
	[PL_ROUTE_ROOT] = {"given", "root"},
	[PL_ROUTE_OPERATOR] = {"given", "operator"},
	[PL_ROUTE_SCHEDULE] = {"given", "schedule"},
	[PL_ROUTE_ONE_RANK] = {"given", "one-rank"},
	[PL_ROUTE_ONE_HOST] = {"given", "one-host"},
	[PL_ROUTE_IN_ORDER] = {"given", "in-order"},
	[PL_ROUTE_OTHERS] = {"given", "others"},
	[PL_ROUTE_GROUPS] = {"given", "groups"},
	[PL_ROUTE_UNEVEN] = {"given", "uneven"},
	[PL_ROUTE_NONBLOCKING] = {"given", "nonblocking"},
	[PL_ROUTE_UNKNOWN] = {"given", "unknown"},
	[PL_ROUTE_NO_PLAN] = {"given", "no-plan"},
	[PL_ROUTE_NO_CHANGE] = {"given", "no-change"},
	[PL_ROUTE_BAD_PLAN] = {"given", "bad-plan"},
	[PL_ROUTE_BAD_NCCL] = {"given", "bad-nccl"},
};

const char *pl_route_order(enum pl_nccl_route route)
{
	return words[route].order;
}

const char *pl_route_why(enum pl_nccl_route route)
{
	return words[route].why;
}

/* By handle, the program's and hidden ones. What is known of one goes in the place of a pointer, so
 * that nothing has to be freed while another thread reads it. */
static struct pl_handles all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t n_own; /* of the program's */
static struct pl_seen_largest largest;

#define ROUTE_BITS 8

static void *pack(struct pl_seen seen)
{
	return (void *)((uintptr_t)(unsigned)seen.n_ranks << ROUTE_BITS | (uintptr_t)seen.route);
}

static struct pl_seen unpack(const void *packed)
{
	const uintptr_t x = (uintptr_t)packed;

	return (struct pl_seen){.n_ranks = (int)(x >> ROUTE_BITS),
				.route = (enum pl_nccl_route)(x & ((1u << ROUTE_BITS) - 1))};
}

/* Under the lock. */
static void put_own(ncclComm_t comm, struct pl_seen seen, int rank)
{
	if (!pl_handles_find(&all, comm))
		n_own++;
	if (pl_handles_put(&all, comm, pack(seen))) {
		n_own--; /* it is looked at anew at every call */
		return;
	}
	if (seen.n_ranks > largest.n_ranks)
		largest = (struct pl_seen_largest){seen.n_ranks, rank};
}

void pl_seen_made(const struct pl_nccl_comm *comm, ncclComm_t shadow)
{
	pthread_mutex_lock(&lock);
	put_own(comm->app,
		(struct pl_seen){comm->n, shadow ? PL_ROUTE_OPERATOR : PL_ROUTE_SCHEDULE},
		comm->rank);
	/* without memory for it, its calls are those of an unknown one */
	if (shadow)
		pl_handles_put(&all, shadow, pack((struct pl_seen){comm->n, PL_ROUTE_PLANNED}));
	pthread_mutex_unlock(&lock);
}

/* What keeps all communicators of this process from having one. */
static enum pl_nccl_route route_of_process(void)
{
	const struct pl_nccl_order *order = pl_order();

	if (order->why.code)
		return PL_ROUTE_BAD_PLAN;
	if (!order->order && !order->two_level)
		return PL_ROUTE_NO_PLAN;
	if (!order->follows)
		return PL_ROUTE_NO_CHANGE;
	if (pl_order_obstacle(pl_nccl_version()))
		return PL_ROUTE_BAD_NCCL;
	return PL_ROUTE_UNKNOWN;
}

static enum pl_nccl_route route_of(enum pl_aside why)
{
	static const enum pl_nccl_route routes[] = {
		[PL_ASIDE_ONE_RANK] = PL_ROUTE_ONE_RANK,
		[PL_ASIDE_ONE_HOST] = PL_ROUTE_ONE_HOST,
		[PL_ASIDE_IN_ORDER] = PL_ROUTE_IN_ORDER,
		[PL_ASIDE_OTHERS] = PL_ROUTE_OTHERS,
		[PL_ASIDE_GROUPS] = PL_ROUTE_GROUPS,
		[PL_ASIDE_UNEVEN] = PL_ROUTE_UNEVEN,
		[PL_ASIDE_NONBLOCKING] = PL_ROUTE_NONBLOCKING,
	};

	return why == PL_ASIDE_ITSELF ? route_of_process() : routes[why];
}

void pl_seen_aside(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	pthread_mutex_lock(&lock);
	put_own(comm->app, (struct pl_seen){comm->n, route_of(why)}, comm->rank);
	pthread_mutex_unlock(&lock);
}

/* Of one that nobody has told of. */
static struct pl_seen look(ncclComm_t comm)
{
	struct pl_seen seen = {0};
	int rank = -1;

	if (PL_NCCL(CommCount)(comm, &seen.n_ranks) != ncclSuccess ||
	    PL_NCCL(CommUserRank)(comm, &rank) != ncclSuccess)
		seen.n_ranks = 0;
	seen.route = seen.n_ranks == 1 ? PL_ROUTE_ONE_RANK : route_of_process();
	if (seen.n_ranks == 0)
		return seen;
	pthread_mutex_lock(&lock);
	if (!pl_handles_find(&all, comm)) /* still nobody */
		put_own(comm, seen, rank);
	pthread_mutex_unlock(&lock);
	return seen;
}

struct pl_seen pl_seen_find(ncclComm_t comm)
{
	const void *packed = pl_handles_find(&all, comm);

	return packed ? unpack(packed) : look(comm);
}

bool pl_seen_end(ncclComm_t comm)
{
	const void *packed;
	bool is_own;

	pthread_mutex_lock(&lock);
	packed = pl_handles_remove(&all, comm);
	is_own = packed && unpack(packed).route != PL_ROUTE_PLANNED;
	n_own -= is_own;
	is_own = is_own && n_own == 0;
	pthread_mutex_unlock(&lock);
	return is_own;
}

struct pl_seen_largest pl_seen_largest(void)
{
	struct pl_seen_largest now;

	pthread_mutex_lock(&lock);
	now = largest;
	pthread_mutex_unlock(&lock);
	return now;
}

void pl_seen_forget(void)
{
	pthread_mutex_init(&lock, NULL); /* who held it is not here */
	memset(&all, 0, sizeof(all));
	n_own = 0;
	largest = (struct pl_seen_largest){0};
}

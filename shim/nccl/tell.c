/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.c - what the user hears of a communicator */
#include "config.h"

#include "shim/nccl/tell.h"

#include "shim/nccl/order.h"
#include "shim/plan.h"
#include "shim/say.h"

#include <inttypes.h>
#include <stdio.h>

/* Is this the first time? */
static bool is_first(bool *said)
{
	return !__atomic_exchange_n(said, true, __ATOMIC_RELAXED);
}

static void say_order(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_order *order = pl_order();
	char gain[PL_GAIN_CHARS];

	pl_shim_say("%s: %s %s %s%s; a communicator of %d: rank -> rank in all-reduces%s, host",
		    order->path, order->order->collective, order->order->algorithm,
		    order->order->impl, pl_shim_gain(gain, order->order), comm->n,
		    comm->rank_in && order->serves_rings ? ", broadcasts and reduces" : "");
}

void pl_tell_made(const struct pl_nccl_comm *comm, ncclComm_t shadow)
{
	static bool said;
	const struct pl_nccl_order *order = pl_order();
	const struct pl_host *hosts = order->plan.hosts.v;
	int rank = -1;

	if (!order->verbose || !is_first(&said))
		return;
	if (comm->rank == 0)
		say_order(comm);
	if (!comm->rank_in && PL_NCCL(CommUserRank)(shadow, &rank) == ncclSuccess)
		pl_shim_say("%d -> %d %s", comm->rank, rank, hosts[order->host].name);
	for (int i = 0; comm->rank_in && comm->rank == 0 && i < comm->n; i++)
		pl_shim_say("%d -> %d %s", i, comm->rank_in[i],
			    hosts[pl_order_host_of(false)[i]].name);
}

void pl_tell_two_level(const struct pl_nccl_comm *comm)
{
	static bool said;
	const struct pl_nccl_order *order = pl_order();
	const struct pl_nccl_levels *l = &comm->levels;
	char last[32] = "";

	if (!order->verbose || !is_first(&said))
		return;
	if (order->two_level->size_max != UINT64_MAX)
		snprintf(last, sizeof(last), "%" PRIu64, order->two_level->size_max);
	if (comm->rank == 0)
		pl_shim_say("%s: allreduce two-level nccl %" PRIu64
			    "-%s; a communicator of %d, %d shards: rank -> group, rank in it, host",
			    order->path, order->two_level->size_min, last, comm->n, l->n_shards);
	pl_shim_say("%d -> %d %d/%d %s", comm->rank, order->groups.own, l->rank, l->n,
		    order->plan.hosts.v[order->host].name);
}

static void say_obstacle(int rank)
{
	static bool said;
	const char *why = pl_order_obstacle(pl_nccl_version());
	const struct pl_nccl_order *order = pl_order();

	if (order->follows && why && rank == 0 && is_first(&said))
		pl_shim_say(order->strict ? "NCCL %d: %s; refusing the communicator (PLINK_STRICT)"
					  : "NCCL %d: %s; ranks stay as they are",
			    pl_nccl_version(), why);
}

/* Of this process itself. */
static void say_why(int rank)
{
	static bool said;
	const struct pl_nccl_order *order = pl_order();

	say_obstacle(rank);
	if (order->why.code) {
		if ((rank == 0 || order->is_own_fault) && is_first(&said))
			pl_shim_say_err(&order->why,
					order->strict ? "refusing the communicator (PLINK_STRICT)"
						      : "ranks stay as they are");
	} else if (order->verbose && rank == 0 && !order->follows && is_first(&said)) {
		pl_shim_say("%s: standing aside",
			    order->order ? "no rank changes" : "PLINK_PLAN names no plan");
	}
}

static const char *remedy(const char *calls)
{
	return pl_order()->strict ? "refusing the communicator (PLINK_STRICT)" : calls;
}

/* Of a schedule of two levels. A communicator of the whole job whose groups do not fit the schedule
 * has a fault, others are as the program made them. */
static void say_no_levels(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	static bool said[3];
	const struct pl_nccl_order *order = pl_order();
	const bool is_fault = why == PL_ASIDE_UNEVEN && comm->n == order->n_slots;
	static const char *const text[] = {
		"its ranks are one group of hosts, or each is one: standing aside",
		("some process has no schedule, or another one than these, or the groups of hosts "
		 "have other shares of the ranks"),
		"it does not block"};
	const size_t i = (size_t)(why - PL_ASIDE_GROUPS);

	if ((order->verbose || order->strict || is_fault) && is_first(&said[i]))
		pl_shim_say("%s: a communicator of %d ranks: %s%s%s", order->path, comm->n, text[i],
			    i ? "; " : "", i ? remedy("all-reduces stay as they are") : "");
}

/* Where there is no ncclCommSplit, nobody comes to pl_tell_aside. */
void pl_tell_init(int rank)
{
	if (!pl_nccl_is_open())
		return;
	if (pl_nccl_version() < PL_VERSION_SPLIT)
		say_why(rank);
	else
		say_obstacle(rank);
}

void pl_tell_aside(const struct pl_nccl_comm *comm, enum pl_aside why)
{
	static bool said_others, said_in_order;
	const struct pl_nccl_order *order = pl_order();

	if (why == PL_ASIDE_ITSELF)
		say_why(comm->rank);
	else if (comm->rank != 0)
		return;
	else if (why >= PL_ASIDE_GROUPS)
		say_no_levels(comm, why);
	else if (why == PL_ASIDE_OTHERS && is_first(&said_others))
		pl_shim_say("a communicator of %d ranks: some process has no plan, or a plan other "
			    "than %s; %s",
			    comm->n, order->path,
			    order->strict ? "refusing the communicator (PLINK_STRICT)"
					  : "ranks stay as they are");
	else if (why == PL_ASIDE_IN_ORDER && order->verbose && is_first(&said_in_order))
		pl_shim_say("a communicator of %d ranks: they are in order already: standing aside",
			    comm->n);
}

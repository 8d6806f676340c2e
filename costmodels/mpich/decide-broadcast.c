/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-broadcast.c - broadcast: what MPICH takes, and among which ranks */
/*
 * Where hosts have several ranks, of few ranks or short messages:
 *
 *   host 1: 3 --> 2                       the root to its leader
 *           2 ----------> 0, 4, ...       among the leaders
 *           2 --> 3   0 --> 1   4 --> 5   in each host
 *
 * Of middle-sized ones, where the ranks are a power of two: in the root's host
 * first, unless the root is a leader, then among the leaders, then in the other
 * hosts. Of long ones, and where no host has several ranks: among all.
 */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#include <string.h>

#define FEW_RANKS 8
#define SHORT_BYTES 12288
#define LONG_BYTES 524288

static const char *choose(size_t n, uint64_t bytes)
{
	if (n < FEW_RANKS || bytes <= SHORT_BYTES)
		return "binomial";
	if (pl_mpich_power_of_two(n) && bytes <= LONG_BYTES)
		return "scatter-recursive-doubling-allgather";
	return "scatter-ring-allgather";
}

void pl_mpich_broadcast_part(const struct pl_mpich_rank *r)
{
	if (r->n < FEW_RANKS || r->bytes <= SHORT_BYTES)
		pl_mpich_broadcast_binomial_part(r);
	else if (pl_mpich_power_of_two(r->n) && r->bytes <= LONG_BYTES)
		pl_mpich_broadcast_recursive_doubling_part(r);
	else
		pl_mpich_broadcast_ring_part(r);
}

/* The root hands the buffer to the first of its host. */
static void to_leader(const struct pl_mpich_rank *r)
{
	pl_script_data(r->s, 0, PL_STORES);
	if (r->rank == r->root)
		pl_mpich_send(r, 0, r->bytes);
	else if (r->rank == 0)
		pl_mpich_recv(r, r->root, r->bytes);
}

static int by_leader(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		     struct pl_err *err)
{
	const size_t host = pl_mpich_host(call, call->root);
	const size_t local = pl_mpich_local(call, call->root);
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = to_leader, .root = local, .only_host = host + 1},
		{.level = PL_MPICH_LEADERS, .part = part, .root = host},
		{.level = PL_MPICH_HOST, .part = part},
	};

	return pl_mpich_phases(s, call, &phases[local == 0], 3 - (local == 0), err);
}

static int by_host(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		   struct pl_err *err)
{
	const size_t host = pl_mpich_host(call, call->root);
	const size_t local = pl_mpich_local(call, call->root);
	const struct pl_mpich_phase phases[] = {
		{.level = PL_MPICH_HOST, .part = part, .root = local, .only_host = host + 1},
		{.level = PL_MPICH_LEADERS, .part = part, .root = host},
		{.level = PL_MPICH_HOST, .part = part, .but_host = host + 1},
	};

	/* a leader's own host comes with the others */
	if (local == 0)
		return by_leader(s, call, part, err);
	return pl_mpich_phases(s, call, phases, 3, err);
}

static bool is_flat(const struct pl_call *call)
{
	if (!pl_mpich_is_parent(call))
		return true;
	return call->n_pos >= FEW_RANKS && call->bytes >= SHORT_BYTES &&
	       (!pl_mpich_power_of_two(call->n_pos) || call->bytes >= LONG_BYTES);
}

int pl_mpich_broadcast(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		       struct pl_err *err)
{
	if (pl_mpich_check_count(call, err))
		return -1;
	if (is_flat(call))
		return pl_mpich_flat(s, call, part, err);
	if (call->n_pos < FEW_RANKS || call->bytes < SHORT_BYTES)
		return by_leader(s, call, part, err);
	return by_host(s, call, part, err);
}

static int as_decided(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (pl_mpich_check_bytes(call, err))
		return -1;
	return pl_mpich_broadcast(s, call, pl_mpich_broadcast_part, err);
}

/* The same for all levels of hosts with several ranks, each by its own ranks:
 * named as what the leaders run, or all. No setting gives that. */
static const struct pl_algorithm by_level[] = {
	{PL_BROADCAST, PL_MPICH, "binomial", "down a binomial tree", .generate = as_decided,
	 .weigh = pl_mpich_weigh},
	{PL_BROADCAST, PL_MPICH, "scatter-recursive-doubling-allgather",
	 "blocks scattered, gathered by recursive doubling", .generate = as_decided,
	 .weigh = pl_mpich_weigh},
	{PL_BROADCAST, PL_MPICH, "scatter-ring-allgather", "blocks scattered, gathered once round",
	 .generate = as_decided, .weigh = pl_mpich_weigh},
};

const struct pl_algorithm *pl_mpich_decide_broadcast(const struct pl_call *call,
						     struct pl_call *decided)
{
	const size_t n = is_flat(call) ? call->n_pos : pl_mpich_hosts(call);
	const char *name = choose(n, call->bytes);
	const struct pl_algorithm *a = by_level;

	(void)decided;
	if (!pl_mpich_is_parent(call))
		return pl_catalogue_named(PL_BROADCAST, PL_MPICH, name);
	while (strcmp(a->name, name) != 0)
		a++;
	return a;
}

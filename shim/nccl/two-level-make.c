/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level-make.c - the hidden communicators of two levels */
#include "config.h"

#include "shim/nccl/two-level.h"

#include "shim/nccl/order.h"

/* What the splits are for. */
enum round {
	ROUND_GROUP, /* the communicator within the group */
	ROUND_EQUAL, /* have all groups as many ranks? */
	ROUND_SHARE, /* have all groups their share of the ranks? */
	ROUND_ACROSS /* the communicator across the groups */
};

/* Those of a plan are below 3 * 2^28. */
#define LOW_BITS 28
#define FIRST_KIND 3

/* Of equal groups all ranks know that; of others, each rank knows the size of all groups if each
 * has as many ranks for a process as the others have. */
static bool has_share(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_groups *groups = &pl_order()->groups;

	return (int64_t)comm->levels.n * groups->n_all == (int64_t)comm->n * groups->n_own;
}

static int least_share(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_groups *groups = &pl_order()->groups;

	return (int)((int64_t)comm->n * groups->n_least / groups->n_all);
}

int pl_two_level_color(const struct pl_nccl_comm *comm)
{
	const struct pl_nccl_order *order = pl_order();
	const struct pl_nccl_levels *l = &comm->levels;
	uint32_t low = order->digest;

	if (comm->round == ROUND_GROUP)
		low = (uint32_t)order->groups.own;
	else if (comm->round == ROUND_EQUAL)
		low ^= (uint32_t)l->n;
	else if (comm->round == ROUND_SHARE && !has_share(comm))
		return NCCL_SPLIT_NOCOLOR;
	else if (comm->round == ROUND_ACROSS && l->rank >= l->n_shards)
		return NCCL_SPLIT_NOCOLOR;
	else if (comm->round == ROUND_ACROSS)
		low = (uint32_t)l->rank;
	return (int)((uint32_t)(FIRST_KIND + comm->round) << LOW_BITS |
		     (low & ((1u << LOW_BITS) - 1)));
}

static ncclResult_t end(ncclComm_t *part)
{
	const ncclResult_t rc = *part ? PL_NCCL(CommDestroy)(*part) : ncclSuccess;

	*part = NULL;
	return rc;
}

static ncclResult_t keep_group(struct pl_nccl_comm *comm, int n)
{
	struct pl_nccl_levels *l = &comm->levels;

	l->group = comm->voted;
	comm->voted = NULL;
	l->n = n;
	return l->group ? PL_NCCL(CommUserRank)(l->group, &l->rank) : ncclSuccess;
}

/* All ranks have agreed. */
static void agree(struct pl_nccl_comm *comm)
{
	struct pl_nccl_levels *l = &comm->levels;

	l->are_equal = comm->round == ROUND_EQUAL;
	l->n_shards = l->are_equal ? l->n : least_share(comm);
	comm->round = ROUND_ACROSS;
}

static ncclResult_t end_vote(struct pl_nccl_comm *comm, bool is_whole, enum pl_two_level_next *next)
{
	struct pl_nccl_levels *l = &comm->levels;
	ncclResult_t rc = end(&comm->voted);

	if (is_whole && (comm->round == ROUND_GROUP || (comm->round == ROUND_EQUAL && l->n == 1)))
		*next = PL_TWO_LEVEL_USELESS;
	else if (is_whole)
		agree(comm);
	else if (++comm->round == ROUND_ACROSS)
		*next = PL_TWO_LEVEL_NOT;
	if (rc == ncclSuccess && *next != PL_TWO_LEVEL_ON)
		rc = end(&l->group);
	return rc;
}

ncclResult_t pl_two_level_end_round(struct pl_nccl_comm *comm, int n, enum pl_two_level_next *next)
{
	const bool is_whole = n == comm->n;

	*next = PL_TWO_LEVEL_ON;
	if (comm->round == ROUND_ACROSS) {
		comm->levels.across = comm->voted;
		comm->voted = NULL;
		*next = PL_TWO_LEVEL_MADE;
		return ncclSuccess;
	}
	if (comm->round == ROUND_GROUP && !is_whole) {
		comm->round++;
		return keep_group(comm, n);
	}
	return end_vote(comm, is_whole, next);
}

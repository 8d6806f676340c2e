/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level.h - all-reduces in two levels, by a schedule */
/*
 * A schedule of two levels (plink-schedule(5)) has its processes in groups,
 * such as the hosts of a rack. An all-reduce then becomes three calls, one
 *after the other in the same stream, in the program's buffer:
 *
 *	a reduce-scatter in each group: rank i of a group has the i-th shard,
 *	an all-reduce of every shard across the groups,
 *	an all-gather in each group.
 *
 * Groups may differ in size. There are as many shards as the smallest one has
 * ranks, and a larger group makes them by a reduce for each shard and a
 * broadcast in place of the all-gather. What does not divide goes into the last
 * shard, in the same way.
 *
 * The communicators of a group and across come from splits of the program's
 * (make.h), after which all ranks have agreed, or none. First, those of a group
 * get its communicator. If that is all ranks, there is nothing to do. Then a
 * split whose color is made of the schedule's text and the size of the group:
 *if its part is the whole, all groups are equal. If it is not, another one, in
 * which only those ranks have a color whose group has as large a share of the
 * communicator as of the schedule: if all have, all know the size of the
 * smallest group. Otherwise all processes stand aside. If so, the last split
 * gives the ranks that have the same shard a communicator.
 */
#ifndef PLINK_SHIM_NCCL_TWO_LEVEL_H
#define PLINK_SHIM_NCCL_TWO_LEVEL_H

#include "shim/nccl/comms.h"

/* Making (two-level-make.c): the color of this process in the round that begins. */
int pl_two_level_color(const struct pl_nccl_comm *comm);

enum pl_two_level_next {
	PL_TWO_LEVEL_ON,      /* another round */
	PL_TWO_LEVEL_MADE,    /* it is there */
	PL_TWO_LEVEL_USELESS, /* one group, or groups of one rank */
	PL_TWO_LEVEL_NOT,     /* not all ranks agree */
};

/* The split of a round has given this process a part of @n ranks, in comm->voted; or none, and @n
 * is 0. Takes it. */
ncclResult_t pl_two_level_end_round(struct pl_nccl_comm *comm, int n, enum pl_two_level_next *next);

/* One all-reduce of the program. */
struct pl_two_level_call {
	const struct pl_nccl_comm *comm;
	const void *send;
	void *recv;
	size_t count;
	ncclDataType_t type;
	ncclRedOp_t op;
	cudaStream_t stream;
};

/*
 * Does it run in two levels? The communicator must have them. The answer is the same on all ranks:
 * it depends on the size, for which the schedule must be, on the operator, which must not be one of
 * the program's own, nor the average but for floating point numbers and equal groups; and there
 * must be something for every shard.
 */
bool pl_two_level_takes(const struct pl_two_level_call *call);

/* Runs it; in a group, notes it for the group's end, since its calls must not run at once. */
ncclResult_t pl_two_level_all_reduce(const struct pl_two_level_call *call);

/* The outermost group of this thread has ended with @rc: if that is no error, runs what was noted
 * in it, otherwise forgets that. The result for the program. */
ncclResult_t pl_two_level_group_end(ncclResult_t rc);

/* Forgets what this thread's group has noted for @comm, which ends. */
void pl_two_level_forget(const struct pl_nccl_comm *comm);

#endif

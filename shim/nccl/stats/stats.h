/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - PLINK_STATS: what this process calls, and how long that takes */
/*
 * Processes of a job that uses NCCL have nothing in common but communicators,
 * of which none need be of all, so each leaves a file of its own (name.h).
 * Where nothing is counted, no call is slower: the functions that count stand
 * in the table of the real ones, in their place (counted.c).
 */
#ifndef PLINK_SHIM_NCCL_STATS_STATS_H
#define PLINK_SHIM_NCCL_STATS_STATS_H

#include "shim/nccl/tell.h"

#include <stdint.h>

/* What is counted. */
enum pl_counted {
	PL_COUNTED_ALL_REDUCE,
	PL_COUNTED_BROADCAST,
	PL_COUNTED_REDUCE,
	PL_COUNTED_ALL_GATHER,
	PL_COUNTED_REDUCE_SCATTER,
	PL_COUNTED_ALL_TO_ALL,
	PL_COUNTED_GATHER,
	PL_COUNTED_SCATTER,
	PL_COUNTED_SEND,
	PL_COUNTED_GROUP, /* the end of one that had some of these in it */
	PL_COUNTED
};

/* Once, when the real functions are known: counts where PLINK_STATS says so. */
void pl_nccl_stats_start(void);

/* A call that has succeeded on @comm, which may be a hidden one, of so many
 * elements of a type. */
void pl_nccl_stats_note(enum pl_counted what, ncclComm_t comm, size_t count,
			ncclDataType_t type, uint64_t ticks);
void pl_nccl_stats_note_group(uint64_t ticks);

/* One of the program's communicators is there: with a hidden one, or
 * without. */
void pl_nccl_stats_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);
void pl_nccl_stats_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* A communicator is about to end. With the program's last one, the file is
 * written: what follows may be no orderly end. */
void pl_nccl_stats_end(ncclComm_t comm);

/* counted.c: puts functions that count into the table of the real ones. */
void pl_counted_insert(void);

#endif

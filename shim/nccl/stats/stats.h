/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - PLINK_STATS: what this process calls, and how long that takes */
/*
 * If nothing is counted, no call is slower: the functions that count replace the real ones in the
 * table pl_nccl (counted.c).
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
	PL_COUNTED_GROUP, /* the end of a group with some of these in it */
	PL_COUNTED
};

/* Call this once, when the real functions are known: counts from here on, if
 * PLINK_STATS is set. If the name is too long, says so, and nothing is
 * counted. */
void pl_nccl_stats_start(void);

/* Counts a successful call on @comm, which may be a hidden one, with @count elements of @type. */
void pl_nccl_stats_note(enum pl_counted what, ncclComm_t comm, size_t count, ncclDataType_t type,
			uint64_t ticks);
void pl_nccl_stats_note_group(uint64_t ticks);
/* The same for an all-reduce of the program that has run in two levels on @comm. */
void pl_nccl_stats_note_two_level(const struct pl_nccl_comm *comm, size_t count,
				  ncclDataType_t type, uint64_t ticks);

/* A communicator of the program has been made: with the hidden one @shadow, with those of two
 * levels (NULL), or without any, for the reason @why. */
void pl_nccl_stats_made(const struct pl_nccl_comm *comm, ncclComm_t shadow);
void pl_nccl_stats_aside(const struct pl_nccl_comm *comm, enum pl_aside why);

/* A communicator is about to end. With the program's last one, the file is written, because the
 * process may not end in order (at most once in a second, and never to standard output). */
void pl_nccl_stats_end(ncclComm_t comm);

/* counted.c: puts functions that count into the table of the real ones. */
void pl_counted_insert(void);

/* What this thread calls between these two is not counted, because this library
 * calls it. The second returns the ticks since the first, whose result
 * @started is. */
uint64_t pl_counted_begin(void);
uint64_t pl_counted_end(uint64_t started);

/* Call this for what will be counted only when the group of the thread has ended: the group has
 * calls. */
void pl_counted_in_group(void);

#endif

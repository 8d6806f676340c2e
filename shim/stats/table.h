/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - the calls that a process has made, counted */
/*
 * Every thread counts in a table of its own, so that nothing is shared and nothing locked. A thread
 * that ends leaves its table, with the counts in it, to the next new thread. A table has a fixed
 * number of rows. When it is full, calls of further kinds are counted together in one extra row.
 */
#ifndef PLINK_SHIM_STATS_TABLE_H
#define PLINK_SHIM_STATS_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of calls are distinguished by function, ranks of the communicator, its group, and bytes up
 * to powers of two. Keys sort in this order. */
#define PL_STATS_OTHER UINT64_MAX /* key of the extra row */

/* Groups: 0 is MPI_COMM_WORLD, or no communicator is known; others are numbered from 1. */
#define PL_STATS_GROUPS_MAX 4094
#define PL_STATS_GROUP_OTHER 4095 /* those beyond, and of unknown members */

/* Class 0: no bytes; class c: 2^(c-1) to 2^c - 1 bytes. */
static inline unsigned int pl_stats_class(uint64_t bytes)
{
	return bytes ? 64 - (unsigned int)__builtin_clzll(bytes) : 0;
}

/* @call: below 4095. */
static inline uint64_t pl_stats_key(unsigned int call, int n_ranks, unsigned int group,
				    uint64_t bytes)
{
	return (uint64_t)call << 52 | (uint64_t)(uint32_t)n_ranks << 20 | (uint64_t)group << 8 |
	       pl_stats_class(bytes);
}

static inline unsigned int pl_stats_key_call(uint64_t key)
{
	return (unsigned int)(key >> 52);
}

static inline uint32_t pl_stats_key_ranks(uint64_t key)
{
	return (uint32_t)(key >> 20);
}

static inline unsigned int pl_stats_key_group(uint64_t key)
{
	return (unsigned int)(key >> 8) & 4095;
}

static inline uint64_t pl_stats_key_regroup(uint64_t key, unsigned int group)
{
	return (key & ~(UINT64_C(4095) << 8)) | (uint64_t)group << 8;
}

/* The smallest and the largest number of bytes in the class of @key. */
uint64_t pl_stats_key_size_min(uint64_t key);
uint64_t pl_stats_key_size_max(uint64_t key);

struct pl_stats_row {
	uint64_t key; /* 0: the row is free */
	uint64_t calls, bytes, ticks;
};

/*
 * Counts one call of this thread. @key must not be 0; no key of a communicator with ranks is. Only
 * the first call of a thread allocates memory, if no other thread has left a table; if there is no
 * memory, the call is counted in the extra row.
 */
void pl_stats_count(uint64_t key, uint64_t bytes, uint64_t ticks);

/* Adds time to calls of that key which this or another thread has counted before, without it. */
void pl_stats_add_time(uint64_t key, uint64_t ticks);

#define PL_STATS_ROWS_MAX 384 /* kinds of calls that a table tells apart */

/* Calls @row with each row of every table, and with the extra rows (PL_STATS_OTHER). A key comes
 * several times if several threads have counted it. Calls that other threads count meanwhile may be
 * included or not. */
void pl_stats_each(void (*row)(const struct pl_stats_row *row, void *arg), void *arg);

/* For a process that was just forked: forgets the counts of its parent, and frees the tables of the
 * parent's other threads for new threads. */
void pl_stats_forget(void);

#endif

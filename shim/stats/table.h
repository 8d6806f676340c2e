/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - what a process has called, counted */
/*
 * Every thread counts in a table of its own, so that nothing is shared and
 * nothing locked; a thread that ends leaves its table, with what is in it, to
 * the next one. A table has a fixed number of rows: what comes when it is full
 * is counted in one more, which says nothing but how much that was.
 */
#ifndef PLINK_SHIM_STATS_TABLE_H
#define PLINK_SHIM_STATS_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Calls that are told apart: by function, ranks of the communicator, and bytes
 * up to powers of two. Keys sort in this order. */
#define PL_STATS_OTHER UINT64_MAX /* key of what had no room */

/* 0: no bytes; c: 2^(c-1) to 2^c - 1 */
static inline unsigned int pl_stats_class(uint64_t bytes)
{
	return bytes ? 64 - (unsigned int)__builtin_clzll(bytes) : 0;
}

static inline uint64_t pl_stats_key(unsigned int call, int n_ranks,
				    uint64_t bytes)
{
	return (uint64_t)call << 40 | (uint64_t)(uint32_t)n_ranks << 8 |
	       pl_stats_class(bytes);
}

static inline unsigned int pl_stats_key_call(uint64_t key)
{
	return (unsigned int)(key >> 40);
}

static inline uint32_t pl_stats_key_ranks(uint64_t key)
{
	return (uint32_t)(key >> 8);
}

/* The least and the most bytes of its class. */
uint64_t pl_stats_key_size_min(uint64_t key);
uint64_t pl_stats_key_size_max(uint64_t key);

struct pl_stats_row {
	uint64_t key; /* 0: none */
	uint64_t calls, bytes, ticks;
};

/*
 * Counts one call of this thread. @key is not 0, which it never is where there
 * are ranks. Nothing is allocated but by the first call of a thread, if no
 * other has left a table.
 */
void pl_stats_count(uint64_t key, uint64_t bytes, uint64_t ticks);

#define PL_STATS_ROWS_MAX 384 /* kinds of calls that a table tells apart */

/* Hands @row each row of every table, PL_STATS_OTHER's too; keys come again if
 * several threads have counted. What others count meanwhile may be in it or
 * not. */
void pl_stats_each(void (*row)(const struct pl_stats_row *row, void *arg),
		   void *arg);

/* In a process that another has forked: what that one has counted is not its
 * own, and its threads are not there. */
void pl_stats_forget(void);

#endif

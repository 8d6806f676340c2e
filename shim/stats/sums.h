/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.h - what the processes of a job have called, added up */
#ifndef PLINK_SHIM_STATS_SUMS_H
#define PLINK_SHIM_STATS_SUMS_H

#include <stddef.h>
#include <stdint.h>

struct pl_stats_sum {
	uint64_t key;          /* table.h */
	uint64_t calls, bytes; /* of all processes */
	uint64_t n_processes;  /* that have made such calls */
	/* spent in such calls: by all of these processes, by the one that spent the least, and by
	 * the one that spent the most */
	double seconds, seconds_min, seconds_max;
};

/* Sorted by key, each key once. Start with {0}, end with fini. */
struct pl_stats_sums {
	struct pl_stats_sum *v;
	size_t n, room;
};

/* Fills in all that this process has counted, with ticks of @tick_s seconds; @sums must be empty.
 * 0, or -1: out of memory, and @sums is empty. */
int pl_stats_sums_own(struct pl_stats_sums *sums, double tick_s);

/* Replaces the number g of each group by number[g - 1]; 0 and PL_STATS_GROUP_OTHER remain. Without
 * @number all become 0. */
void pl_stats_sums_regroup(struct pl_stats_sums *sums, const unsigned int *number);

/* Adds the sums of other processes. 0, or -1: out of memory, and @sums is as it was. */
int pl_stats_sums_add(struct pl_stats_sums *sums, const struct pl_stats_sums *others);

void pl_stats_sums_fini(struct pl_stats_sums *sums);

#endif

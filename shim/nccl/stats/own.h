/* SPDX-License-Identifier: BSD-3-Clause */
/* own.h - the file of statistics that each process writes of itself */
/*
 * The processes of a job that uses NCCL have only communicators in common, and none of these need
 * have all processes. So each process writes a file of its own (name.c): when pl_own_leave() asks
 * for it, and when it ends in order. It counts in table.h's tables.
 */
#ifndef PLINK_SHIM_NCCL_STATS_OWN_H
#define PLINK_SHIM_NCCL_STATS_OWN_H

#include "shim/stats/write.h"

#include <limits.h>
#include <stdbool.h>

struct pl_own {
	/* Fills in what the library alone knows of @job; @rank: of the process in the job, -1 if it
	 * is not known. */
	void (*describe)(struct pl_stats_job *job, int *rank);
	/* Seconds of a tick in what is counted; 0: the clock's. */
	double tick_s;
	/* Forgets what the process counted of which this one is a fork. */
	void (*forget)(void);
};

/* Begins to count, if PLINK_STATS is set; call it once, @own is kept. False: nothing is to be
 * counted, which is said if the name is too long. */
bool pl_own_start(const struct pl_own *own);

/* Writes the file, if any call was counted, because the process may not end in order: at most once
 * in a second, and never to standard output. */
void pl_own_leave(void);

/* A process among all those that have the same environment. */
struct pl_stats_who {
	const char *host;
	int pid;
};

/*
 * name.c: the name of the file of @who: in @name, %h becomes its host (with each slash replaced by
 * '_'), %p its process number, %% a percent sign. If @name has no %, ".%h.%p" is added to it,
 * before ".json" if it ends so; but not if it is "-", or the name of something that exists and is
 * no regular file. 0, or -1: the name is too long.
 */
int pl_stats_name(char file[PATH_MAX], const char *name, const struct pl_stats_who *who);

#endif

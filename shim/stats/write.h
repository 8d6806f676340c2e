/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h - the file of a job's statistics (plink-stats(5)) */
#ifndef PLINK_SHIM_STATS_WRITE_H
#define PLINK_SHIM_STATS_WRITE_H

#include "base/err.h"
#include "shim/stats/groups.h"
#include "shim/stats/sums.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* A counted function, e.g. "allreduce", "nonblocking". */
struct pl_stats_call {
	const char *name, *kind;
};

/* A column of words after those that every file has. */
struct pl_stats_column {
	const char *name;
	const char *(*word)(unsigned int call); /* for the call of that number */
};

/* For a file of one process. */
struct pl_stats_process {
	char host[256];
	int pid;
	int rank; /* in the job; -1: not known */
};

/* What a process has sent to another one. */
struct pl_stats_sent {
	uint64_t calls, bytes;
};

/* What a process knows of a communicator that it is in. */
struct pl_stats_membership {
	uint64_t id; /* the same on all its ranks, and on no others */
	int rank;
	int n_ranks, n_nodes;             /* 0: not known */
	const char *name;                 /* "": none */
	const struct pl_stats_sent *sent; /* [n_ranks], or NULL: nothing */
};

/* What the file says about the job as a whole. */
struct pl_stats_job {
	const char *mode; /* "world", "aside", "off" */
	char plan[256];   /* the plan that the ranks follow; "": none */
	char order[768];  /* its order: "allreduce ring openmpi"; "": none */
	int n_ranks;
	time_t started, ended;
	double seconds;                    /* between the two */
	const char *clock;                 /* "tsc", "monotonic" */
	const struct pl_stats_call *calls; /* by number, as in keys */

	/* What may be left out ({0}): */
	const struct pl_stats_process *process;
	/* what the times measure if not the calls: "host"; "gpu", perhaps not of all; "none": there
	 * are none. Rows without have "-" */
	const char *time;
	const struct pl_stats_column *added; /* up to PL_STATS_ADDED_MAX */
	size_t n_added;
	/* the communicators of the calls: group g of a key is v[g - 1] */
	const struct pl_stats_groups *groups;
	/* or, of one process whose communicators others complete: [n_members], group g of a key is
	 * member[g - 1] */
	const struct pl_stats_membership *member;
	size_t n_members;
};

#define PL_STATS_ADDED_MAX 4

void pl_stats_write_text(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums);
void pl_stats_write_json(FILE *out, const struct pl_stats_job *job,
			 const struct pl_stats_sums *sums);

/* Writes JSON if @path ends in ".json", otherwise text; the whole file or none. 0, or -1 with @err
 * set. */
int pl_stats_write(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums, struct pl_err *err);

/* The same, and tells the user: once in a process, if some calls are only counted as "other". 0; or
 * -1, having said why there are no statistics. */
int pl_stats_leave(const char *path, const struct pl_stats_job *job,
		   const struct pl_stats_sums *sums);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - which rank of a job runs on which host */
#ifndef PLINK_AUDIT_JOB_H
#define PLINK_AUDIT_JOB_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranks above this many are refused. */
#define PL_JOB_RANKS_MAX 65536

/* Start with {0}, end with fini. A node is a host that comes once, whatever
 * number of lines it has. */
struct pl_job {
	struct pl_hosts node;
	uint32_t *node_of; /* [n_ranks] */
	size_t n_ranks;
};

/*
 * Reads a plan (whose first order it follows) or a host list, a line per host
 * or per rank; "-" is standard input, up to its end. 0, or -1 with @job empty.
 */
int pl_job_read(struct pl_job *job, const char *path, struct pl_err *err);

/* The same from text in memory. */
int pl_job_parse(struct pl_job *job, struct pl_text *text, struct pl_err *err);

/* A node per rank, without names: for what tells of ranks alone. */
int pl_job_of_ranks(struct pl_job *job, size_t n_ranks, struct pl_err *err);

/* How many ranks follow one another on each node; 1 where that differs. */
size_t pl_job_slots(const struct pl_job *job);

/* Is each rank on a node of its own? */
bool pl_job_is_spread(const struct pl_job *job);

void pl_job_fini(struct pl_job *job);

#endif

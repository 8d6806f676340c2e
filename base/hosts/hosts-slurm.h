/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts-slurm.h - the hosts of the Slurm job that we run in */
#ifndef PLINK_BASE_HOSTS_HOSTS_SLURM_H
#define PLINK_BASE_HOSTS_HOSTS_SLURM_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>

/* Is that the word which stands for them where a host list is named? NULL is
 * not. */
bool pl_hosts_are_slurms(const char *word);

/*
 * The nodes of SLURM_JOB_NODELIST, in its order, with as many slots as
 * SLURM_TASKS_PER_NODE gives them tasks. 0, or -1 with @hosts empty and @err
 * set: PL_EINPUT where we are in no job or the two contradict each other.
 */
int pl_hosts_read_slurm(struct pl_hosts *hosts, struct pl_err *err);

/* "2(x3),1" becomes slots 2 2 2 1, for as many hosts. 0, or -1 with @err
 * set. */
int pl_hosts_slurm_tasks(struct pl_hosts *hosts, const char *tasks,
			 struct pl_err *err);

#endif

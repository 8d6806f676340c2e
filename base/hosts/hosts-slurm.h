/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts-slurm.h - the hosts of the Slurm job, or step, that this process runs in */
#ifndef PLINK_BASE_HOSTS_HOSTS_SLURM_H
#define PLINK_BASE_HOSTS_HOSTS_SLURM_H

#include "base/err.h"
#include "base/hosts/hosts.h"

#include <stdbool.h>

/* Is @word "slurm", which stands for these hosts in place of a host list? False for NULL. */
bool pl_hosts_are_slurms(const char *word);

/*
 * The nodes of SLURM_JOB_NODELIST, in that order, each with as many slots as SLURM_TASKS_PER_NODE
 * gives it tasks. 0, or -1 with @hosts empty and @err set: PL_EINPUT if either variable is not set
 * or they differ in the number of nodes, PL_ESYSTEM.
 */
int pl_hosts_read_slurm(struct pl_hosts *hosts, struct pl_err *err);

/* The same with the step's SLURM_STEP_NODELIST and SLURM_STEP_TASKS_PER_NODE.
 */
int pl_hosts_read_slurm_step(struct pl_hosts *hosts, struct pl_err *err);

#endif

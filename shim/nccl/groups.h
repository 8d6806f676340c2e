/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - the groups of hosts in a schedule of two levels */
#ifndef PLINK_SHIM_NCCL_GROUPS_H
#define PLINK_SHIM_NCCL_GROUPS_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "engine/slice.h"

#include <stddef.h>

/* As one host sees them. Processes are those of all slots. */
struct pl_nccl_groups {
	int n;       /* groups */
	int own;     /* number of the host's own one, from 0 */
	int n_own;   /* processes in the host's own group */
	int n_least; /* in the smallest group */
	int n_all;   /* in all groups */
};

/*
 * The groups of a schedule with this first slice, as @host sees them: a group is all processes that
 * send to the same one in the first round, and that one. 0, or -1 with @err set: PL_EINPUT, in
 * @file, if a process both sends and receives in that round, or if the processes of a host are in
 * several groups; PL_ESYSTEM for memory.
 */
int pl_nccl_groups_find(struct pl_nccl_groups *groups, const struct pl_hosts *hosts, size_t host,
			const struct pl_slice *first, const char *file, struct pl_err *err);

#endif

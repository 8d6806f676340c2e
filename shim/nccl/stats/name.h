/* SPDX-License-Identifier: BSD-3-Clause */
/* name.h - a file of its own for each process */
#ifndef PLINK_SHIM_NCCL_STATS_NAME_H
#define PLINK_SHIM_NCCL_STATS_NAME_H

#include <limits.h>

/* A process among all those that have the same environment. */
struct pl_stats_who {
	const char *host;
	int pid;
};

/*
 * The name of the file of @who: in @name, %h becomes its host (with each slash
 * replaced by '_'), %p its process number, %% a percent sign. If @name has no
 * %, ".%h.%p" is added to it, before ".json" if it ends so; but not if it is
 * "-", or the name of something that exists and is no regular file. 0, or -1:
 * the name is too long.
 */
int pl_stats_name(char file[PATH_MAX], const char *name,
		  const struct pl_stats_who *who);

#endif

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
 * The file of @who: in @name, %h becomes its host, in which a slash becomes
 * '_', %p its number, %% a percent sign. A name without any % is that of a
 * family of files: ".%h.%p" is added to it, before its ".json" if it has one.
 * Not so where it is "-", or something that is there and no regular file. 0, or
 * -1: too long.
 */
int pl_stats_name(char file[PATH_MAX], const char *name,
		  const struct pl_stats_who *who);

#endif

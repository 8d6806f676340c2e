/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.h - processes identified by number and start time, never by mistake */
#ifndef PLINK_TESTBED_PROC_H
#define PLINK_TESTBED_PROC_H

#include <stdint.h>
#include <sys/types.h>

/* A process that was alive when this was recorded. */
struct tb_proc {
	pid_t pid;
	int64_t start; /* field 22 of /proc/PID/stat, clock ticks since boot */
};

/* Start time of a process as seen from here; -1 where there is none. */
int64_t tb_proc_start(pid_t pid);

/* Opens a descriptor of exactly that process, which the caller closes. -1 when the process has
 * ended, even if another one has its number now. */
int tb_proc_open(struct tb_proc proc);

/* Sends @sig to the process that tb_proc_open() has opened. 0, or -1 when it has ended. */
int tb_proc_signal(int pidfd, int sig);

/* Waits until it has ended, @timeout_ms at most. 0, or -1: it has not. */
int tb_proc_wait(int pidfd, int timeout_ms);

#endif

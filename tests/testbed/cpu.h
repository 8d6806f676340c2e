/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu.h - hosts get a share of a processor each, by control groups */
#ifndef PLINK_TESTBED_CPU_H
#define PLINK_TESTBED_CPU_H

#include "base/err.h"

#include <stddef.h>
#include <sys/types.h>

/* Is there a way to do so (control groups, version 1 or 2, with processor quotas)? 0, or -1 with
 * @err set: PL_ESYSTEM. */
int tb_cpu_check(struct pl_err *err);

/* Host @host of the testbed @prefix, whose first process is @pid, gets at most @share of a
 * processor, with all that will run in it. 0, or -1 with @err set; tb_cpu_release() in either
 * case. */
int tb_cpu_hold(const char *prefix, size_t host, pid_t pid, double share, struct pl_err *err);

/* Removes the groups of the testbed @prefix, if there are any; all its processes have been
 * ended. */
void tb_cpu_release(const char *prefix);

#endif

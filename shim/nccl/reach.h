/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h - programs that this library does not reach */
#ifndef PLINK_SHIM_NCCL_REACH_H
#define PLINK_SHIM_NCCL_REACH_H

/*
 * Call this at the end of a process in which no function of this library was
 * called. If there is a plan to follow, or statistics are wanted, and the
 * process has loaded CUDA's driver, prints where else NCCL is: inside the
 * program or one of its libraries, or opened by its path. NCCL inside a file
 * that does not export it cannot be found; then prints, only with
 * PLINK_VERBOSE, that no function was called.
 */
void pl_reach_say(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h - programs that this library does not reach */
#ifndef PLINK_SHIM_NCCL_REACH_H
#define PLINK_SHIM_NCCL_REACH_H

/*
 * When the process ends, to be asked where there is a plan to follow, or
 * statistics are wanted, but no function of this library was called. Says so
 * where the process has used a GPU and NCCL is elsewhere in it: inside the
 * program or one of its libraries, or opened by its path. What is inside
 * without being exported cannot be seen: with PLINK_VERBOSE, says that no
 * function was called.
 */
void pl_reach_say(void);

#endif

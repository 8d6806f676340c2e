/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.h - plink-srift profile: a profile from traces of PyTorch's
 * profiler */
#ifndef PLINK_SRC_SRIFT_PROFILE_H
#define PLINK_SRC_SRIFT_PROFILE_H

/* The verb with its arguments; gives the exit status. */
int srift_profile(int argc, char **argv);

#endif

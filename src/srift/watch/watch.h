/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.h - plink-srift watch */
#ifndef PLINK_SRC_SRIFT_WATCH_WATCH_H
#define PLINK_SRC_SRIFT_WATCH_WATCH_H

/* Runs plink-srift watch; argv[0] is "watch". Returns the exit status. */
int srift_watch(int argc, char **argv);

#endif

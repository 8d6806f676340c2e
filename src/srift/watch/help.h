/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - what plink-srift watch --help prints */
#ifndef PLINK_SRC_SRIFT_WATCH_HELP_H
#define PLINK_SRC_SRIFT_WATCH_HELP_H

extern const char srift_watch_help[];

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - what plink-srift --help prints */
#ifndef PLINK_SRC_SRIFT_HELP_H
#define PLINK_SRC_SRIFT_HELP_H

extern const char srift_help[];
extern const char srift_predict_help[];
extern const char srift_recommend_help[];
extern const char srift_train_help[];

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the help texts of plink-srift and its verbs */
#ifndef PLINK_SRC_SRIFT_HELP_H
#define PLINK_SRC_SRIFT_HELP_H

extern const char srift_help[];
extern const char srift_predict_help[];
extern const char srift_recommend_help[];
extern const char srift_train_help[];

#endif

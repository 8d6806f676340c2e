/* SPDX-License-Identifier: BSD-3-Clause */
/* verbs.h - the verbs of plink-srift: what runs them, and their help texts */
#ifndef PLINK_SRC_SRIFT_VERBS_H
#define PLINK_SRC_SRIFT_VERBS_H

/* A verb with its arguments; argv[0] ends in the verb. Each returns the exit status. */
int srift_recommend_main(int argc, char **argv);
int srift_sweep_main(int argc, char **argv);
int srift_grid(int argc, char **argv);
int srift_train(int argc, char **argv);
int srift_profile(int argc, char **argv);
int srift_merge(int argc, char **argv);
int srift_watch(int argc, char **argv);
int srift_need(int argc, char **argv);
int srift_levels(int argc, char **argv);
int srift_cost(int argc, char **argv);

extern const char srift_help[];
extern const char srift_predict_help[];
extern const char srift_recommend_help[];
extern const char srift_sweep_help[];
extern const char srift_grid_help[];
extern const char srift_train_help[];
extern const char srift_merge_help[];
extern const char srift_watch_help[];
extern const char srift_need_help[];
extern const char srift_levels_help[];
extern const char srift_cost_help[];

#endif

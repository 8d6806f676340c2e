/* SPDX-License-Identifier: BSD-3-Clause */
/* stalls.h - the verbs of plink-stalls, and the name of the tool */
#ifndef PLINK_SRC_STALLS_STALLS_H
#define PLINK_SRC_STALLS_STALLS_H

#define STALLS_TOOL "plink-stalls"

/* A verb with its arguments; argv[0] ends in the verb. Each returns the exit status. */
int stalls_table(int argc, char **argv);
int stalls_run(int argc, char **argv);
int stalls_stats(int argc, char **argv);
int stalls_synth(int argc, char **argv);
int stalls_predict(int argc, char **argv);
int stalls_what_if(int argc, char **argv);

#endif

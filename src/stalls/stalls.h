/* SPDX-License-Identifier: BSD-3-Clause */
/* stalls.h - the verbs of plink-stalls, and what they share */
#ifndef PLINK_SRC_STALLS_STALLS_H
#define PLINK_SRC_STALLS_STALLS_H

#include "base/err.h"

#include <jansson.h>
#include <stdio.h>

#define STALLS_TOOL "plink-stalls"

/* A verb with its arguments; argv[0] ends in the verb. Each returns the exit
 * status. */
int stalls_table(int argc, char **argv);
int stalls_run(int argc, char **argv);
int stalls_stats(int argc, char **argv);
int stalls_synth(int argc, char **argv);
int stalls_what_if(int argc, char **argv);

/* Lets @write fill the file @output (NULL: standard output), whole or not at
 * all. Returns the exit status, after a message if it fails. */
int stalls_output(const char *output,
		  int (*write)(const void *arg, FILE *out, struct pl_err *err),
		  const void *arg);

#endif

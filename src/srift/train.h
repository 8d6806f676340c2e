/* SPDX-License-Identifier: BSD-3-Clause */
/* train.h - plink-srift train: bandwidths learned from a grid of
 * measurements */
#ifndef PLINK_SRC_SRIFT_TRAIN_H
#define PLINK_SRC_SRIFT_TRAIN_H

#include "planner/srift/learned/learned.h"

#include <stdbool.h>

/* Strings are borrowed from argv. */
struct srift_train_options {
	const char *grid, *model;
	struct pl_learned_options learned;
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* The exit status: where it is not DONE or @o->done is set, there is nothing
 * more to do. */
int srift_train_options_parse(struct srift_train_options *o, int argc,
			      char **argv);

/* All of plink-srift train; argv[0] is the verb. The exit status. */
int srift_train(int argc, char **argv);

#endif

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

/* Returns the exit status. If it is not DONE, or @o->done is set, nothing more is to be done. */
int srift_train_options_parse(struct srift_train_options *o, int argc, char **argv);

#endif

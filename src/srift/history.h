/* SPDX-License-Identifier: BSD-3-Clause */
/* history.h - journals of earlier jobs: read, and told */
#ifndef PLINK_SRC_SRIFT_HISTORY_H
#define PLINK_SRC_SRIFT_HISTORY_H

#include "planner/srift/watch/history.h"
#include "src/srift/options.h"

#include <jansson.h>
#include <stdio.h>

/* Adds all files. 0, or -1 with @err set. */
int srift_history_read(struct pl_history *h, const struct srift_histories *from,
		       struct pl_err *err);

/* "150 s (assumed)", "93.4 s (mean of 4 launches)" */
void srift_write_launch(const struct pl_replan_times *times, FILE *out);

/* A line for each type and kind, and one of checkpoints. */
void srift_write_history(const struct pl_history *h, FILE *out);

/* {"save_s", "saves", "machines": [...]}; owned by the caller. NULL: out of memory. */
json_t *srift_history_json(const struct pl_history *h);

#endif

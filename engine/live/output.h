/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h - the file of a process' live statistics: its name, and writing it
 */
#ifndef PLINK_ENGINE_LIVE_OUTPUT_H
#define PLINK_ENGINE_LIVE_OUTPUT_H

#include "base/err.h"
#include "engine/live/record.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {0} and open, end with close. */
struct pl_live_output {
	char path[PATH_MAX];
	bool prometheus;
	FILE *lines; /* NULL: Prometheus' file is made anew each time */
	int64_t interval_ns;
};

/* By PLINK_LIVE as @setting has it. 0, or -1 with @err set, as pl_live_create says. */
int pl_live_output_open(struct pl_live_output *o, const char *setting, uint32_t process,
			struct pl_err *err);

/* A line about @interval, or a file about @total. 0, or -1 with @err set. */
int pl_live_output_write(const struct pl_live_output *o, const struct pl_live_head *head,
			 const struct pl_live_record *total, const struct pl_live_record *interval,
			 struct pl_err *err);

void pl_live_output_close(struct pl_live_output *o);

#endif

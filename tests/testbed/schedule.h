/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.h - when cards and uplinks of a testbed change, and to what */
#ifndef PLINK_TESTBED_SCHEDULE_H
#define PLINK_TESTBED_SCHEDULE_H

#include "base/err.h"
#include "tests/testbed/running.h"

#include <stddef.h>
#include <stdint.h>

enum tb_step_kind { TB_STEP_CARD, TB_STEP_UPLINK, TB_STEP_MATRIX };

/* A line. */
struct tb_step {
	int64_t at_ns; /* since the schedule began */
	char *line;    /* for messages */
	enum tb_step_kind kind;
	size_t index; /* of the host or the group */
	struct pl_link_rate rate;
	struct tb_topology matrix;
};

/* Start with {0}, end with fini. */
struct tb_schedule {
	struct tb_step *step; /* [n] in the order of their times */
	size_t n, room;
};

/*
 * Reads the file, and the matrices that it names, for the hosts and groups of @r: plink-testbed(1)
 * has the form. *s must be {0}. 0, or -1 with @err set and *s {0}: PL_EINPUT with the place for a
 * line that is none or is earlier than the one above it, and for a matrix that does not fit.
 */
int tb_schedule_read(struct tb_schedule *s, const char *path, const struct tb_running *r,
		     struct pl_err *err);
void tb_schedule_fini(struct tb_schedule *s);

/* What is to be asked for, of the step and of what holds now. *t must be {0}. 0, or -1 with @err
 * set: out of memory. */
int tb_schedule_make(struct tb_step *step, const struct tb_running *r, struct tb_topology *t,
		     struct pl_err *err);

#endif

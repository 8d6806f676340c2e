/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read.h - what the parts of the reader of plans share; not for others */
#ifndef PLINK_BASE_PLAN_PLAN_READ_H
#define PLINK_BASE_PLAN_PLAN_READ_H

#include "base/plan/plan.h"

/* A plan being read. */
struct pl_plan_reader {
	struct pl_plan *plan;
	struct pl_place *place; /* [hosts.n]: where each host stands */
	size_t place_room;
	bool versioned; /* the line that says what this file is was seen */
	struct pl_err *err;
};

/* One of the words "key=value" that a line may have, each at most once. */
struct pl_plan_option {
	const char *key;
	struct pl_word value; /* s is NULL where it was not said */
};

/* Takes a word "key=value" into the one of option[n] that has its key. */
int pl_plan_take_option(struct pl_plan_reader *r, const struct pl_word *word,
			struct pl_plan_option *option, size_t n);

/* Copies into *to, which must be NULL (a second one is an error), a word of a
 * plan that may be missing (word->s is NULL), but not empty. */
int pl_plan_read_word(struct pl_plan_reader *r, const struct pl_word *word,
		      char **to);

/* What follows "order" on its line. */
int pl_plan_read_order(struct pl_plan_reader *r, struct pl_line *line);

#endif

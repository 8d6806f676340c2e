/* SPDX-License-Identifier: BSD-3-Clause */
/* plan-read.h - shared by the parts of the reader of plans; not for others */
#ifndef PLINK_BASE_PLAN_PLAN_READ_H
#define PLINK_BASE_PLAN_PLAN_READ_H

#include "base/plan/plan.h"

/* A plan being read. */
struct pl_plan_reader {
	struct pl_plan *plan;
	struct pl_place *place; /* [hosts.n]: the place of each host */
	size_t place_room;
	const struct pl_plan_kin *kin; /* NULL: a plan */
	bool versioned;                /* the line "# plink-plan 1" was seen */
	size_t n_costs;                /* so many hosts have their line of costs */
	bool checked;                  /* the hosts are complete, and none comes twice */
	struct pl_err *err;
};

/* A word "key=value" that a line may have, at most once. */
struct pl_plan_option {
	const char *key;
	struct pl_word value; /* s is NULL if it is not there */
};

/* Stores a word "key=value" in the element of option[n] with that key. 0, or -1 with the error
 * set. */
int pl_plan_take_option(struct pl_plan_reader *r, const struct pl_word *word,
			struct pl_plan_option *option, size_t n);

/* Copies a word of a plan to *to, which must still be NULL, otherwise the word appears twice: an
 * error. A missing word (word->s is NULL) leaves *to NULL; an empty one is an error. 0, or -1 with
 * the error set. */
int pl_plan_read_word(struct pl_plan_reader *r, const struct pl_word *word, char **to);

/* The first line behind the hosts is at @place: are they fit for use? 0, or -1 with the error
 * set. */
int pl_plan_check_hosts(struct pl_plan_reader *r, struct pl_place place);

/* Reads the rest of a line after "order". 0, or -1 with the error set. */
int pl_plan_read_order(struct pl_plan_reader *r, struct pl_line *line);

/* Reads the rest of a line after "costs". 0, or -1 with the error set. */
int pl_plan_read_costs(struct pl_plan_reader *r, struct pl_line *line);

/* At the end of the plan: have all hosts their costs, or none? 0, or -1 with the error set, at
 * @place. */
int pl_plan_check_costs(struct pl_plan_reader *r, struct pl_place place);

#endif

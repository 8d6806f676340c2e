/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.h - which order of a plan a collective call takes */
#ifndef PLINK_SHIM_MPI_SHADOW_CHOOSE_H
#define PLINK_SHIM_MPI_SHADOW_CHOOSE_H

#include "base/plan/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pl_shadow_kind {
	PL_SHADOW_ALLREDUCE,
	PL_SHADOW_BROADCAST,
	PL_SHADOW_REDUCE,
	PL_SHADOW_BARRIER,
	PL_SHADOW_ALLGATHER,
	PL_SHADOW_KINDS
};

/* An order line of the plan, and the calls that it is for. Several lines may place the hosts alike:
 * @order is the first of them. */
struct pl_shadow_line {
	uint64_t size_min, size_max; /* bytes, both included */
	uint64_t root;               /* the root's rank in the order */
	size_t order, at;            /* in plan->order: the first such line, and this line */
};

/* The lines for one kind of call, in the plan's order. */
struct pl_shadow_lines {
	struct pl_shadow_line *line; /* [n] */
	size_t n;
	size_t otherwise; /* the order for a size that no line has */
	bool sized;       /* does the order depend on the bytes of a call? */
};

struct pl_shadow_choice {
	struct pl_shadow_lines of[PL_SHADOW_KINDS];
};

/* The name of the collective as in plans: "allreduce", "broadcast", ... */
const char *pl_shadow_kind_name(enum pl_shadow_kind kind);

/* @choice must be {0}. 0 (ends with fini), or -1 with PL_ESYSTEM. */
int pl_shadow_choice_init(struct pl_shadow_choice *choice, const struct pl_plan *plan,
			  struct pl_err *err);

void pl_shadow_choice_fini(struct pl_shadow_choice *choice);

/* May a call run in plan->order[@order]? Of several that place the hosts alike, only the first one
 * is used. */
bool pl_shadow_is_used(const struct pl_shadow_choice *choice, size_t order);

/*
 * The order for a call of @bytes: that of the first line whose sizes include @bytes. @root is -1
 * for a call without a root. With a root, the first such line in whose order the root has the rank
 * that the line names takes precedence. rank_in[order][rank] is the rank in that order;
 * rank_in[order] is NULL if the order changes no rank.
 */
static inline size_t pl_shadow_choose(const struct pl_shadow_lines *lines, uint64_t bytes, int root,
				      int *const *rank_in)
{
	size_t found = lines->otherwise;
	bool fits = false;

	for (size_t i = 0; i < lines->n; i++) {
		const struct pl_shadow_line *line = &lines->line[i];
		const int *rank = root < 0 ? NULL : rank_in[line->order];

		if (bytes < line->size_min || bytes > line->size_max)
			continue;
		if (root < 0 || line->root == (uint64_t)(rank ? rank[root] : root))
			return line->order;
		if (!fits)
			found = line->order;
		fits = true;
	}
	return found;
}

#endif

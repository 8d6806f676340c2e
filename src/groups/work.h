/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - what plink-groups finds out */
#ifndef PLINK_SRC_GROUPS_WORK_H
#define PLINK_SRC_GROUPS_WORK_H

#include "base/matrix/matrix.h"
#include "src/groups/options.h"
#include "topology/affinity.h"
#include "topology/embed.h"
#include "topology/estimate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One group; numbers are NaN where there is nothing. */
struct groups_group {
	size_t n;            /* hosts */
	double inner, outer; /* median within, and from and to others */
};

/* Start with {0}, end with fini. */
struct groups {
	const struct groups_options *o;
	struct pl_matrix *m;
	char **label;     /* [n] what each host is called */
	double *distance; /* [n * n] layer 0; of bandwidth the inverse */
	struct pl_embedding e;
	bool embedded;
	/* of a sampled matrix, for --format=matrix: what tells missing pairs
	 * best */
	struct pl_estimate best;
	bool chosen;
	size_t *number; /* [n] of the group of each host */
	struct groups_group *group;
	size_t n_groups;
	bool judged; /* against a truth: */
	struct pl_affinity measured, estimated;
	size_t n_strangers; /* hosts that the truth does not have */
	/* of the n * (n - 1) ways: not measured, though they were wanted */
	size_t n_missing;
	size_t n_unknown; /* hosts from and to which nothing is measured */
	size_t unknown;   /* the first of them */
};

/* Reads and finds what the options ask for. 0, or -1 with @err set. */
int groups_find(struct groups *g, const struct groups_options *o,
		struct pl_err *err);
void groups_fini(struct groups *g);

/* The estimate from i to j in the matrix's unit, the embedding's or what was
 * chosen. */
double groups_estimate(const struct groups *g, size_t i, size_t j);

/* Writes what was found. 0, or -1 with @err set. */
int groups_write(const struct groups *g, FILE *out, struct pl_err *err);
int groups_write_json(const struct groups *g, FILE *out, struct pl_err *err);
/* Changes the matrix. */
int groups_write_matrix(struct groups *g, FILE *out, struct pl_err *err);

#endif

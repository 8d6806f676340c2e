/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - the work of plink-groups */
#ifndef PLINK_SRC_GROUPS_WORK_H
#define PLINK_SRC_GROUPS_WORK_H

#include "base/matrix/matrix.h"
#include "src/groups/options.h"
#include "topology/affinity.h"
#include "topology/embed.h"
#include "topology/estimate.h"
#include "topology/schedulers/schedulers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One group; numbers are NaN if there is nothing to compute them from. */
struct groups_group {
	size_t n;            /* hosts */
	double inner, outer; /* medians: within, and from and to others */
};

/* Start with {0}, end with fini. */
struct groups {
	const struct groups_options *o;
	struct pl_matrix *m;
	char **label;     /* [n] name of each host */
	double *distance; /* [n * n] layer 0; bandwidths inverted */
	struct pl_embedding e;
	bool embedded;
	/* for a sampled matrix with --format=matrix: the best estimate of the missing pairs */
	struct pl_estimate best;
	bool chosen;
	size_t *number; /* [n] the group of each host */
	struct groups_group *group;
	size_t n_groups;
	/* groups of groups, for JSON and schedulers */
	struct pl_hierarchy levels;
	bool too_few; /* measurements to tell racks: all are in one group */
	bool judged;  /* compared with a truth: */
	struct pl_affinity measured, estimated;
	size_t n_strangers; /* hosts that the truth does not have */
	/* directed pairs, of n * (n - 1), that are not measured although they should be */
	size_t n_missing;
	size_t n_unknown; /* hosts without any measurement */
	size_t unknown;   /* the first of them */
};

/* Reads the inputs and computes what the options ask for. 0, or -1 with @err set. */
int groups_find(struct groups *g, const struct groups_options *o, struct pl_err *err);
void groups_fini(struct groups *g);

/* The estimate from i to j in the matrix's unit, by the embedding or by the chosen method. */
double groups_estimate(const struct groups *g, size_t i, size_t j);

/* Writes the results. 0, or -1 with @err set. */
int groups_write(const struct groups *g, FILE *out, struct pl_err *err);
int groups_write_json(const struct groups *g, FILE *out, struct pl_err *err);
int groups_write_schedulers(const struct groups *g, FILE *out, struct pl_err *err);
/* The groups and their names as schedulers have them. */
struct pl_scheduled groups_scheduled(const struct groups *g);
/* Changes the matrix. */
int groups_write_matrix(struct groups *g, FILE *out, struct pl_err *err);

#endif

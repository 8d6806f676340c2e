/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - functions shared by the parts of learned.h */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_PARTS_H
#define PLINK_PLANNER_SRIFT_LEARNED_PARTS_H

#include "planner/srift/learned/learned.h"

#include <jansson.h>

/* features.c: machines and all-reduces as rows of numbers. */

/* Collects the names that the machines of the model have. 0, or -1: out of memory. */
int pl_categories_find(struct pl_learned *m);
void pl_categories_fini(struct pl_learned *m);

/* Fills x[PL_FEATURES]. */
void pl_features_fill(const struct pl_learned *m, const struct pl_learned_query *query, float *x);

/* learned-write.c: for the writer and the reader of a model's file. */

#define PL_MODEL_MAGIC "plink-srift-model"
#define PL_MODEL_DIGEST_CHARS (7 + 2 * 32 + 1)

struct pl_model_piece {
	const char *s;
	size_t len;
};

/* "sha256:..." of n pieces in a row. 0, or -1 with @err set. */
int pl_model_digest(char out[PL_MODEL_DIGEST_CHARS], const struct pl_model_piece *piece, size_t n,
		    struct pl_err *err);

/* Names by text feature, in the order of their numbers; NULL: no memory. */
json_t *pl_model_categories(const struct pl_learned *m);

/*
 * trees.c: XGBoost follows the children and features of nodes in a model without any check. Returns
 * 0 if @s is JSON of boosted trees in which each node is reached exactly once from the root and
 * uses a feature below @n_features, and all lists have the length that the tree states; else -1
 * with @err set (PL_EINPUT, or out of memory).
 */
int pl_trees_check(const char *s, size_t len, size_t n_features, struct pl_err *err);

#endif

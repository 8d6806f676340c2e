/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.h - models that verbs learn from measurements */
#ifndef PLINK_SRC_SPOT_LEARN_H
#define PLINK_SRC_SPOT_LEARN_H

#include "planner/transient/regress.h"
#include "src/common/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fit of all samples, and what folds of them say of its error. */
struct spot_model {
	struct pl_regress fit;
	struct pl_regress_error error;
};

struct spot_learning {
	uint64_t n_folds, seed;
	bool unscaled; /* features of support vectors */
};

/* Searches for the options of support vectors, then learns from all. End with pl_regress_fini of
 * the fit. 0, or -1 with @err set. */
int spot_model_learn(struct spot_model *m, enum pl_regress_kind kind, const struct pl_samples *s,
		     const struct spot_learning *learning, struct pl_err *err);

/* "1.5,20": numbers of an option into @v[PL_FEATURES_MAX]. */
int spot_take_values(double *v, size_t *n, const struct pl_option *option, const char *value,
		     struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* saves.h - how long a checkpoint takes, learned from the sizes of its files: models (i) to (iv) of
 * section IV-C of the paper on CM-DARE */
#ifndef PLINK_SRC_SPOT_SAVES_H
#define PLINK_SRC_SPOT_SAVES_H

#include "src/spot/learn.h"

#include <jansson.h>
#include <stdio.h>

#define SPOT_SAVE_MODELS 4
#define SPOT_SAVE_SIZES 3 /* data, meta, index */

struct spot_saves_options {
	const char *samples;          /* file; NULL: not given */
	double size[PL_FEATURES_MAX]; /* of the model's files */
	size_t n_sizes;
	struct spot_learning learning; /* without its seed */
};

/* For --sizes; the member is the spot_saves_options. */
int spot_take_sizes(void *o, const struct pl_option *option, const char *value, struct pl_err *err);

/* Start with {0}. */
struct spot_saves {
	struct {
		bool known; /* false: needs libsvm, which is missing */
		struct pl_regress_error error;
		double predicted_s;
	} model[SPOT_SAVE_MODELS];
	size_t n_rows, n_folds, best;
	double best_s; /* of the model with the least error */
};

/* Learns all models. 0, or -1 with @err set. */
int spot_saves_learn(struct spot_saves *saves, const struct spot_saves_options *o, uint64_t seed,
		     struct pl_err *err);
void spot_saves_write(const struct spot_saves *saves, FILE *out);

/* null without rows. */
json_t *spot_saves_json(const struct spot_saves *saves);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* predict.h - the results of plink-srift predict */
#ifndef PLINK_SRC_SRIFT_PREDICT_H
#define PLINK_SRC_SRIFT_PREDICT_H

#include "planner/srift/comm/busbw.h"
#include "planner/srift/comm/comm-hubs.h"
#include "planner/srift/iteration/iteration.h"
#include "planner/srift/learned/learned.h"
#include "src/srift/options.h"
#include "src/srift/step.h"
#include "src/srift/terms.h"

#include <stdio.h>

/* Start with {0}, end with fini. */
struct srift_prediction {
	const struct srift_options *o;
	struct pl_profile profile;
	struct pl_selection sel;
	struct pl_busbw table;
	/* without a network: between the GPUs of the only machine */
	const struct pl_profile_number *interconnect;
	struct pl_learned learned; /* used instead of the table, if given */
	struct pl_learned_net net;
	struct pl_iteration it;
	/* with a plan, the above is for its order; this is for the given
	 * order */
	struct pl_busbw given_table;
	struct pl_iteration given;
	bool has_given;
	/* with hubs, the above is for them, without a given order; this is without them, by the
	 * table */
	struct pl_busbw hub_table;
	struct pl_comm_hubs with; /* where there is no such table */
	struct pl_iteration alone;
	struct srift_step step;          /* with a job; it has only times then */
	struct pl_iteration_terms terms; /* of it */
};

/* Reads and predicts what the options ask for. 0, or -1 with @err set. */
int srift_predict(struct srift_prediction *p, const struct srift_options *o, struct pl_err *err);
void srift_prediction_fini(struct srift_prediction *p);

/* Writes the results. 0, or -1 with @err set. */
int srift_write_text(const struct srift_prediction *p, FILE *out, struct pl_err *err);
int srift_write_json(const struct srift_prediction *p, FILE *out, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* plans.h - bandwidths by a matrix and the plans of jobs of several sizes */
#ifndef PLINK_SRC_SRIFT_PLANS_H
#define PLINK_SRC_SRIFT_PLANS_H

#include "base/matrix/matrix.h"
#include "base/plan/plan.h"
#include "planner/srift/comm/busbw.h"
#include "planner/srift/comm/busbw-plan.h"
#include "planner/srift/iteration/selection.h"
#include "predict/network.h"
#include "src/srift/options.h"

/* Start with {0}, end with fini. */
struct srift_plans {
	const struct srift_options *o; /* o->plan[i] is the name of plan[i] */
	struct pl_plan plan[SRIFT_PLANS_MAX];
	size_t n;
	bool typed; /* hosts have types of machine: all of them */
	struct pl_matrix *matrix;
	struct pl_network net;
	/* [n_hubs] o->hub.aggregators, by host of the matrix; in no plan */
	size_t *hub;
	size_t n_hubs;
};

/* Reads o->matrix, with the rates of cards and uplinks that its bandwidths show, which are reported
 * on stderr. The caller owns it. NULL with @err set.
 */
struct pl_matrix *srift_matrix_read(const struct srift_options *o, struct pl_err *err);

/* Reads matrix and plans, and reports on stderr the rates of cards and uplinks that bandwidths
 * show. 0, or -1 with @err set. */
int srift_plans_read(struct srift_plans *p, const struct srift_options *o, struct pl_err *err);
void srift_plans_fini(struct srift_plans *p);

/* Are the hosts of plan[i] the machines that are chosen? */
bool srift_plans_is_for(const struct srift_plans *p, size_t i, const struct pl_selection *sel);

/* Are its hosts of several types? */
bool srift_plans_is_mixed(const struct srift_plans *p, size_t i);

/* Adds to @t what all-reduces of up to @bytes get by plan[i], in the order that it has found or in
 * the given one. 0, or -1 with @err set. */
int srift_plans_predict(const struct srift_plans *p, size_t i, enum pl_placed_order which,
			uint64_t bytes, struct pl_busbw *t, struct pl_err *err);

/* The same of all plans whose hosts are machines of @type, with as many ranks each; NULL: of all
 * plans. No plan is no fault. */
int srift_plans_predict_all(const struct srift_plans *p, const struct pl_profile_instance *type,
			    uint64_t bytes, struct pl_busbw *t, struct pl_err *err);

/* The same with the first @n_hubs of the aggregators, by the schedules of plink-order
 * --aggregators; for sizes at which @alone, which the functions above have filled, says more, that
 * counts. */
int srift_plans_predict_hubs(const struct srift_plans *p, size_t i, size_t n_hubs,
			     const struct pl_busbw *alone, struct pl_busbw *t, struct pl_err *err);
int srift_plans_predict_all_hubs(const struct srift_plans *p,
				 const struct pl_profile_instance *type, size_t n_hubs,
				 const struct pl_busbw *alone, struct pl_busbw *t,
				 struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* svr.c - support vector regression, of libsvm */
#include "config.h"

#include "planner/transient/svr.h"

#include "base/mem.h"
#include "planner/transient/samples.h"

#include <libsvm/svm.h>
#include <stdlib.h>

#define CACHE_MB 100
#define STOP 1e-3 /* tolerance of the solver, libsvm's default */

/* The model borrows its vectors from the node array. */
struct pl_svr {
	struct svm_model *model;
	struct svm_node *node;
	size_t n_features;
};

bool pl_svr_is_built_in(void)
{
	return true;
}

static void be_silent(const char *s)
{
	(void)s;
}

static void put(struct svm_node *node, const double *x, size_t n_features)
{
	for (size_t i = 0; i < n_features; i++)
		node[i] = (struct svm_node){(int)i + 1, x[i]};
	node[n_features] = (struct svm_node){-1, 0};
}

static int train(struct pl_svr *svr, const double *x, const double *y, size_t n,
		 const struct pl_svr_options *o)
{
	const struct svm_parameter parameter = {
		.svm_type = EPSILON_SVR,
		.kernel_type = RBF,
		.gamma = o->gamma,
		.cache_size = CACHE_MB,
		.eps = STOP,
		.C = o->cost,
		.p = o->epsilon,
		.shrinking = 1,
	};
	const size_t width = svr->n_features + 1;
	struct svm_problem problem = {.l = (int)n};
	struct svm_node **row = pl_array_create(n, sizeof(*row));
	double *value = pl_array_create(n, sizeof(*value));

	svr->node = pl_array_create(n * width, sizeof(*svr->node));
	if (row && value && svr->node) {
		for (size_t i = 0; i < n; i++) {
			row[i] = svr->node + i * width;
			put(row[i], x + i * svr->n_features, svr->n_features);
			value[i] = y[i];
		}
		problem.x = row;
		problem.y = value;
		svr->model = svm_train(&problem, &parameter);
	}
	free(row);
	free(value);
	return svr->model ? 0 : -1;
}

int pl_svr_train(struct pl_svr **svr, const double *x, const double *y, size_t n, size_t n_features,
		 const struct pl_svr_options *options, struct pl_err *err)
{
	struct pl_svr *made = calloc(1, sizeof(*made));

	svm_set_print_string_function(be_silent);
	if (made) {
		made->n_features = n_features;
		if (train(made, x, y, n, options) == 0) {
			*svr = made;
			return 0;
		}
	}
	pl_svr_destroy(made);
	return pl_err_nomem(err);
}

double pl_svr_at(const struct pl_svr *svr, const double *x)
{
	struct svm_node node[PL_FEATURES_MAX + 1];

	put(node, x, svr->n_features);
	return svm_predict(svr->model, node);
}

size_t pl_svr_vectors(const struct pl_svr *svr)
{
	return (size_t)svm_get_nr_sv(svr->model);
}

void pl_svr_destroy(struct pl_svr *svr)
{
	if (!svr)
		return;
	if (svr->model)
		svm_free_and_destroy_model(&svr->model);
	free(svr->node);
	free(svr);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - what the order is for, and how to find it */
#ifndef PLINK_ORDER_REQUEST_H
#define PLINK_ORDER_REQUEST_H

#include "base/matrix/matrix.h"
#include "order/algorithm.h"
#include "solver/ring/ring-bound.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_ORDER_SIZES_MAX 16

/* What the shortest frame of Ethernet carries: a message of less is no faster at any rate. */
#define PL_ORDER_FRAME_BYTES 46

enum pl_order_method {
	PL_METHOD_SEARCH,
	PL_METHOD_EXACT,  /* search, and proofs as far as possible */
	PL_METHOD_THESIS, /* its two stages: annealing, and Z3 */
};

/* The progress of a search. */
struct pl_order_progress {
	uint64_t moves, total; /* total 0: limited by time only */
	double left_s;         /* until its deadline; NaN: it has none */
	double cost;           /* of the best order so far */
	double bound;          /* lower bound of the cost; <= 0: not known */
};

/* Called repeatedly during a search, by one thread at a time; with NULL when it has ended. */
typedef void pl_order_progress_fn(void *arg, const struct pl_order_progress *now);

/* Strings are borrowed; NULL: not given. */
struct pl_order_request {
	/* the calls that the order is for */
	struct pl_order_names names;
	struct pl_order_algorithm what;
	uint64_t size_bytes[PL_ORDER_SIZES_MAX];
	double size_weight[PL_ORDER_SIZES_MAX];
	size_t n_sizes;
	bool for_job;       /* the order is for a step of a job (order/job/), not for
			     * these calls */
	bool usual_sizes;   /* none were stated: the default sizes */
	const char *stats;  /* a plink-stats(5) file: the calls of a job */
	double accept_loss; /* percent by which a call may be slower */
	/* also make tables of predictions: the matrix must hold times */
	bool tables;
	/* predict with as many repetitions as for these tables */
	bool full_prediction;

	/* how the matrix is used */
	bool has_symmetrize;
	enum pl_symmetrize symmetrize;
	double nic_bps, uplink_bps; /* 0: what the matrix says */

	/* which orders are allowed */
	size_t choose;         /* choose this many hosts; 0: all */
	const char *pin;       /* the host that comes first */
	const char *not_first; /* "a,b,c": hosts that do not */
	/* percent; the given order is kept if less is gained */
	double min_gain;

	/* how to search */
	enum pl_order_method method;
	enum pl_bound_effort bound;
	bool has_bound;
	int64_t time_ns; /* 0: a budget of moves */
	bool has_moves;
	uint64_t moves;
	unsigned threads;
	uint64_t seed;
	pl_order_progress_fn *progress; /* NULL: not reported */
	void *progress_arg;
};

/* Sets the default sizes of calls. */
void pl_order_request_usual(struct pl_order_request *q);

/* Are orders judged by predicted seconds of the calls of a library? */
bool pl_order_request_promises(const struct pl_order_request *q);

/* "search", ... */
const char *pl_order_method_name(enum pl_order_method method);

#endif

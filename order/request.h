/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - what is asked of an order */
#ifndef PLINK_ORDER_REQUEST_H
#define PLINK_ORDER_REQUEST_H

#include "base/matrix/matrix.h"
#include "order/algorithm.h"
#include "solver/ring/ring-bound.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_ORDER_SIZES_MAX 16

/* Bandwidths say little of the time of messages that are no larger, whatever
 * the library. */
#define PL_ORDER_SMALL_BYTES 16384

enum pl_order_method {
	PL_METHOD_SEARCH,
	PL_METHOD_EXACT,  /* and proofs, as far as they go */
	PL_METHOD_THESIS, /* its two stages: annealing, and Z3 */
};

/* How far a search is. */
struct pl_order_progress {
	uint64_t moves, total; /* total 0: as many as there is time for */
	double left_s;         /* until its deadline; NaN: it has none */
	double cost;           /* of the best order so far */
	double bound;          /* of the cost; not above 0: not known */
};

/* Called now and then while a search runs, by one thread at a time; with NULL
 * when it has ended. */
typedef void pl_order_progress_fn(void *arg,
				  const struct pl_order_progress *now);

/* Strings are borrowed; NULL: not given. */
struct pl_order_request {
	/* the calls that it is for */
	struct pl_order_names names;
	struct pl_order_algorithm what;
	uint64_t size_bytes[PL_ORDER_SIZES_MAX];
	double size_weight[PL_ORDER_SIZES_MAX];
	size_t n_sizes;
	bool usual_sizes;  /* none were stated */
	const char *stats; /* a file: the calls are those that a job has made */
	double accept_loss; /* percent that a call may lose */
	bool tables; /* predictions are tabled, too: the matrix must hold times
		      */
	bool full_prediction; /* with as many repetitions as these tables */

	/* what the matrix is taken for */
	const char *bandwidth_layer; /* NULL: the first one */
	bool has_symmetrize;
	enum pl_symmetrize symmetrize;
	double nic_bps, uplink_bps; /* 0: what the matrix says */

	/* which orders are allowed */
	size_t choose;         /* so many of the hosts; 0: all */
	const char *pin;       /* the host that comes first */
	const char *not_first; /* "a,b,c": hosts that do not */
	double min_gain;       /* percent; else the given order is kept */

	/* how they are looked for */
	enum pl_order_method method;
	enum pl_bound_effort bound;
	bool has_bound;
	int64_t time_ns; /* 0: a budget of moves */
	bool has_moves;
	uint64_t moves;
	unsigned threads;
	uint64_t seed;
	pl_order_progress_fn *progress; /* NULL: nobody is told */
	void *progress_arg;
};

/* Makes the sizes those of calls where none is stated. */
void pl_order_request_usual(struct pl_order_request *q);

/* Is the order for calls as a library runs them, judged by predicted
 * seconds? */
bool pl_order_request_promises(const struct pl_order_request *q);

/* "search", ... */
const char *pl_order_method_name(enum pl_order_method method);

#endif

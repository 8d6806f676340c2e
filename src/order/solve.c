/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.c - from costs to an order and what is known about it */
#include "config.h"

#include "src/order/solve.h"

#include "costmodels/ring.h"
#include "solver/ring-bound.h"
#include "solver/ring-exact.h"
#include "solver/ring-restart.h"
#include "solver/ring-search.h"
#include "src/mem.h"
#include "src/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

double pl_order_gap(const struct pl_order_result *r)
{
	return r->bound > 0 ? r->cost / r->bound - 1 : NAN;
}

double pl_order_gain(double given, double cost)
{
	return given > 0 ? 100 * (1 - cost / given) : 0;
}

bool pl_order_unchanged(const struct pl_order_result *r, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (r->host_at[k] != k)
			return false;
	return true;
}

void pl_order_result_fini(struct pl_order_result *r)
{
	free(r->host_at);
	memset(r, 0, sizeof(*r));
}

static double seconds_since(int64_t start_ns)
{
	return (double)(pl_tool_clock_ns() - start_ns) * 1e-9;
}

static void keep_given(struct pl_order_result *r, size_t n)
{
	for (size_t k = 0; k < n; k++)
		r->host_at[k] = k;
	r->cost = r->cost_given;
}

/* The given order and its cost. */
static int begin(struct pl_order_result *r, const struct pl_order_input *in,
		 const struct pl_order_options *o, struct pl_err *err)
{
	const size_t n = in->hosts.n;

	memset(r, 0, sizeof(*r));
	r->threads = o->threads;
	r->host_at = pl_array_create(n, sizeof(*r->host_at));
	if (!r->host_at)
		return pl_err_nomem(err);
	keep_given(r, n);
	r->cost = r->cost_given = pl_cost_ring(in->c, n, r->host_at, n);
	return 0;
}

/* Few hosts: the least cost is found outright, and is its own bound. The
 * given order stays where it is as good. */
static int solve_exact(struct pl_order_result *r,
		       const struct pl_order_input *in, struct pl_err *err)
{
	const size_t n = in->hosts.n;
	size_t found[PL_RING_EXACT_MAX];
	double cost;

	if (pl_ring_exact(in->c, n, found, err))
		return -1;
	cost = pl_cost_ring(in->c, n, found, n);
	if (cost <
	    r->cost_given - pl_ring_rounding(r->cost_given, in->hosts.n)) {
		memcpy(r->host_at, found, n * sizeof(*found));
		r->cost = cost;
	}
	r->bound = r->cost;
	return 0;
}

/* On a terminal; wiped out when the search is over. */
static void show(void *arg, const struct pl_ring_progress *now)
{
	const struct pl_order_result *r = arg;

	fprintf(stderr, "\r%s: %llu restarts, %llu moves, cost %.12g",
		PL_ORDER_TOOL, (unsigned long long)now->restarts,
		(unsigned long long)now->moves, now->cost);
	if (r->bound > 0)
		fprintf(stderr, ", gap %.3f %%",
			100 * (now->cost / r->bound - 1));
	fputs("\033[K", stderr);
}

static int solve_search(struct pl_order_result *r,
			const struct pl_order_input *in,
			const struct pl_order_options *o,
			const struct pl_stop *stop, const double *weight,
			struct pl_err *err)
{
	const size_t n = in->hosts.n;
	const struct pl_ring_options search = {
		.seed = o->seed,
		.moves = o->has_moves ? o->moves
			 : o->time_ns ? PL_RING_MOVES_MAX
				      : pl_ring_moves(n),
		.threads = o->threads,
		.target = r->bound,
		.weight = weight,
		.stop = stop,
		.progress = isatty(STDERR_FILENO) ? show : NULL,
		.progress_arg = r,
	};
	struct pl_ring_result found;
	const int rc =
		pl_ring_search(in->c, n, &search, r->host_at, &found, err);

	if (search.progress)
		fputs("\r\033[K", stderr);
	if (rc)
		return -1;
	r->moves = found.moves;
	if (found.cost <
	    r->cost_given - pl_ring_rounding(r->cost_given, in->hosts.n))
		r->cost = found.cost;
	else
		keep_given(r, n);
	return 0;
}

void pl_order_settle(struct pl_order_result *r, const struct pl_order_input *in)
{
	if (isnan(r->bound) ||
	    r->cost - r->bound > pl_ring_rounding(r->cost, in->hosts.n))
		return;
	r->bound = r->cost;
	r->exact = true;
}

/* The bound of a search, within half of the time; hints for it in weight[n]. */
static int bound(struct pl_order_result *r, const struct pl_order_input *in,
		 const struct pl_order_options *o, const struct pl_stop *stop,
		 double *weight, struct pl_err *err)
{
	const int64_t start_ns = pl_tool_clock_ns();
	struct pl_stop early = *stop;

	if (early.deadline_ns)
		early.deadline_ns -= (early.deadline_ns - start_ns) / 2;
	if (pl_ring_bound(in->c, in->hosts.n, o->bound, &early, &r->bound,
			  weight, err))
		return -1;
	r->bound_seconds = seconds_since(start_ns);
	return 0;
}

static int bound_and_search(struct pl_order_result *r,
			    const struct pl_order_input *in,
			    const struct pl_order_options *o,
			    const struct pl_stop *stop, struct pl_err *err)
{
	double *weight = pl_array_create(in->hosts.n, sizeof(*weight));
	int64_t start_ns;
	int rc = -1;

	if (!weight)
		return pl_err_nomem(err);
	if (bound(r, in, o, stop, weight, err))
		goto out;
	start_ns = pl_tool_clock_ns();
	rc = solve_search(r, in, o, stop,
			  o->bound == PL_BOUND_NONE ? NULL : weight, err);
	r->solve_seconds = seconds_since(start_ns);
out:
	free(weight);
	return rc;
}

int pl_order_bound(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_options *o, const struct pl_stop *stop,
		   struct pl_err *err)
{
	double *weight;
	int rc;

	if (begin(r, in, o, err))
		return -1;
	if (in->hosts.n <= PL_RING_EXACT_MAX) {
		rc = solve_exact(r, in, err);
	} else {
		weight = pl_array_create(in->hosts.n, sizeof(*weight));
		rc = weight ? bound(r, in, o, stop, weight, err)
			    : pl_err_nomem(err);
		free(weight);
	}
	if (o->bound == PL_BOUND_NONE)
		r->bound = NAN;
	return rc;
}

/* Below --min-gain the given order is kept; what was proved stays true. */
static void weigh(struct pl_order_result *r, const struct pl_order_input *in,
		  const struct pl_order_options *o)
{
	const double gain = pl_order_gain(r->cost_given, r->cost);

	if (r->cost == r->cost_given || gain >= o->min_gain)
		return;
	r->kept = true;
	r->gain_missed = gain;
	r->exact = false;
	keep_given(r, in->hosts.n);
}

static int check_pin(const struct pl_order_input *in,
		     const struct pl_order_options *o, struct pl_err *err)
{
	if (!o->pin || pl_hosts_find(&in->hosts, o->pin) >= 0)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "--pin: host \"%s\" is not in the list", o->pin);
}

int pl_order_solve(struct pl_order_result *r, const struct pl_order_input *in,
		   const struct pl_order_options *o, const struct pl_stop *stop,
		   struct pl_err *err)
{
	const int64_t start_ns = pl_tool_clock_ns();
	int rc;

	if (begin(r, in, o, err) || check_pin(in, o, err))
		return -1;
	if (in->hosts.n <= PL_RING_EXACT_MAX) {
		rc = solve_exact(r, in, err);
		r->solve_seconds = seconds_since(start_ns);
	} else {
		rc = bound_and_search(r, in, o, stop, err);
	}
	if (rc)
		return -1;
	pl_order_settle(r, in);
	if (o->bound == PL_BOUND_NONE)
		r->bound = NAN;
	weigh(r, in, o);
	r->stopped = stop->flag && *stop->flag;
	if (o->pin) /* a ring may start anywhere: this costs nothing */
		pl_ring_rotate(r->host_at, in->hosts.n,
			       (size_t)pl_hosts_find(&in->hosts, o->pin));
	return 0;
}

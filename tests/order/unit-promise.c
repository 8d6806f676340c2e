/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-promise.c - orders for a workload: never slower, costs by call,
 * memory */
#include "config.h"

#include "base/mem.h"
#include "base/rng.h"
#include "order/calls/blend.h"
#include "order/calls/promise.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Hosts of two racks taken in turns or, with @rng, at times that are drawn. */
static void fill(struct pl_order_input *in, size_t n, struct pl_rng *rng)
{
	in->unit = PL_US;
	for (size_t h = 0; h < n; h++) {
		struct pl_host host = {.slots = 1};
		char name[16];

		snprintf(name, sizeof(name), "h%zu", h);
		host.name = name;
		pl_hosts_add(&in->hosts, &host);
	}
	in->c = pl_array_create(n * n, sizeof(*in->c));
	in->machine = pl_array_create(n, sizeof(*in->machine));
	in->matrix = pl_matrix_create(&in->hosts, NULL);
	in->matrix->layer[0].quantity = PL_ONE_WAY;
	in->matrix->layer[0].unit = PL_US;
	for (size_t i = 0; i < n; i++) {
		in->machine[i] = i;
		for (size_t j = 0; j < n; j++) {
			const double us = i == j           ? 0
					  : rng            ? 100 + (double)pl_rng_below(rng, 5000)
					  : i % 2 == j % 2 ? 500
							   : 5000;

			in->c[i * n + j] = us;
			in->matrix->layer[0].cell[i * n + j] = us;
		}
	}
}

static void release(struct pl_order_input *in)
{
	pl_matrix_destroy(in->matrix);
	pl_hosts_fini(&in->hosts);
	free(in->c);
	free(in->machine);
}

static struct pl_order_request options(const char *collective, const char *algorithm)
{
	struct pl_order_request o = {
		.names = {.collective = collective, .impl = "openmpi", .algorithm = algorithm},
		.size_bytes = {2048, 65536},
		.size_weight = {1, 1},
		.n_sizes = 2,
		.nic_bps = 1e9,
		.bound = PL_BOUND_FAST,
		.has_moves = true,
		.moves = 200,
		.threads = 1,
		.seed = 1,
	};

	if (pl_order_algorithm_find(&o.what, &o.names, NULL))
		abort();
	return o;
}

/* No call is slower. */
static void test_never_slower(double nic_bps, size_t least)
{
	static const char *const collective[] = {"allreduce", "reduce", "allreduce,broadcast"};
	const uint64_t seed = 5;
	struct pl_rng rng;
	size_t gains = 0, losses = 0, changed = 0, runs = 0;

	pl_rng_init(&rng, seed, 0);
	for (size_t k = 0; k < 12; k++) {
		struct pl_order_request o =
			options(k % 3 == 2 ? "allreduce" : collective[k % 3], NULL);
		struct pl_order_input in = {.unit = PL_US};
		const struct pl_stop never = {.flag = NULL};
		struct pl_order_promise p;
		struct pl_order_result r;

		o.nic_bps = nic_bps;
		o.names.collective = collective[k % 3];
		fill(&in, 5 + k % 4, &rng);
		if (pl_order_promise_find(&p, &r, &in, &o, &never, NULL))
			abort();
		for (size_t i = 0; i < p.w.n; i++) {
			const double part = p.call[i].found / p.call[i].given;

			runs++;
			losses += part > 1 + PL_ORDER_SLOWER / 100;
			losses += p.call[i].least > p.call[i].found;
		}
		gains += p.gain >= PL_ORDER_NOTICED;
		changed += !r.unchanged;
		pl_order_promise_fini(&p);
		pl_order_result_fini(&r);
		release(&in);
	}
	ok(losses == 0, "%zu calls, seed %d: none slower", runs, (int)seed);
	ok(gains == changed && gains >= least,
	   "%zu of 12 networks have another order, as many gain", gains);
}

/* Is the order in @c allowed, and what is predicted of it: 1, faster by 3 % at all sizes; -1,
 * slower by 10 % at one; 0, anything else. */
static int judge(struct pl_order_candidates *c, struct pl_order_odds *odds, size_t order,
		 bool *allowed)
{
	struct pl_order_risk risk;
	double most = 0;

	if (pl_order_weigh(odds, c, order, &risk, NULL))
		abort();
	*allowed = risk.chance <= PL_ORDER_CHANCE;
	for (size_t i = 0; i < c->w->n; i++)
		most = fmax(most, pl_order_candidate_time(c, order, i) /
					  pl_order_candidate_time(c, 0, i));
	return most <= 0.97 ? 1 : most >= 1.1 ? -1 : 0;
}

/* Orders of hosts in two racks, drawn: what is faster at every size is allowed, as what is off in
 * the network is off in both orders; unless round trips differ by @apart, there and back. */
static void test_weighed(double apart, bool certain)
{
	struct pl_order_request o = options("allreduce", NULL);
	struct pl_order_input in = {.unit = PL_US};
	const struct pl_stop never = {.flag = NULL};
	size_t host_at[] = {0, 1, 2, 3, 4, 5, 6}, seen[3] = {0}, allowed[3] = {0};
	const size_t n = sizeof(host_at) / sizeof(*host_at);
	struct pl_order_workload w = {0};
	struct pl_order_candidates c = {0};
	struct pl_order_odds odds = {0};
	struct pl_rng rng;

	fill(&in, n, NULL);
	in.matrix->layer[0].quantity = PL_RTT;
	in.matrix->symmetrize = PL_SYM_MAX;
	for (size_t i = 0; i < n * n; i++)
		in.matrix->layer[0].cell[i] =
			fmin(in.matrix->layer[0].cell[i], 1000) * (i / n < i % n ? 1 + apart : 1);
	pl_rng_init(&rng, 2, 0);
	if (pl_order_workload_init(&w, &in.hosts, &o, NULL) ||
	    pl_order_candidates_init(&c, &w, &in, &o, &never, NULL))
		abort();
	while (c.n < 16) {
		pl_rng_shuffle(&rng, host_at, n);
		if (pl_order_candidates_add(&c, host_at, NULL))
			abort();
	}
	for (size_t k = 1; k < c.n; k++) {
		bool yes;
		const int what = 1 + judge(&c, &odds, k, &yes);

		seen[what]++;
		allowed[what] += yes;
	}
	ok(seen[0] > 0 && allowed[0] == 0, "of %zu orders slower by 10 %% at a size none is taken",
	   seen[0]);
	ok(seen[2] > 0 && (allowed[2] == seen[2]) == certain,
	   "of %zu orders faster by 3 %% at every size %zu are taken, cells off by %g %%", seen[2],
	   allowed[2], 100 * apart);
	pl_order_odds_fini(&odds);
	pl_order_candidates_fini(&c);
	pl_order_workload_fini(&w);
	release(&in);
}

/* A gain that is not wanted is none; the given order costs the sum of all weights. */
static void test_wanted(void)
{
	struct pl_order_request o = options("allreduce", NULL);
	struct pl_order_input in = {.unit = PL_US};
	const struct pl_stop never = {.flag = NULL};
	const size_t given[] = {0, 1, 2, 3, 4, 5};
	struct pl_order_workload w = {0};
	struct pl_order_blend b;
	struct pl_order_promise p;
	struct pl_order_result r;
	double sum = 0;

	fill(&in, 6, NULL);
	for (int more = -1; more <= 1; more++) {
		if (pl_order_promise_find(&p, &r, &in, &o, &never, NULL))
			abort();
		ok(r.unchanged == (more > 0) && r.kept == (more > 0), "%g %% wanted, %g gained",
		   o.min_gain, more > 0 ? r.gain_missed : p.gain);
		o.min_gain = p.gain + (more < 0 ? -1 : 1);
		pl_order_promise_fini(&p);
		pl_order_result_fini(&r);
	}
	if (pl_order_workload_init(&w, &in.hosts, &o, NULL) ||
	    pl_order_blend_init(&b, &w, &in, &o, &never, NULL))
		abort();
	for (size_t k = 0; k < b.n_parts; k++)
		sum += b.weight[k];
	ok(b.n_parts > 1 && fabs(pl_order_model_cost(&b.whole, given) / sum - 1) < 1e-9,
	   "%zu kinds of calls: relative to the given order", b.n_parts);
	pl_order_blend_fini(&b);
	pl_order_workload_fini(&w);
	release(&in);
}

/* Allocations refused in turn, every @step-th; without times it is by hops. Where no ring is seen
 * for lack of memory the search is another one, and no error. */
static void test_memory(const char *algorithm, size_t step, bool seconds)
{
	struct pl_order_request o = options("allreduce", algorithm);
	struct pl_order_input in = {.unit = PL_US}, known;
	const struct pl_stop never = {.flag = NULL};
	size_t live, k = 0, wrong = 0, silent = 0;
	bool refused;

	fill(&in, 4, NULL);
	known = in;
	if (!seconds)
		known.matrix = NULL;
	do {
		struct pl_order_promise p;
		struct pl_order_result r;
		struct pl_err err = {0};
		int status;

		failalloc_begin(k);
		status = pl_order_promise_find(&p, &r, &known, &o, &never, &err);
		wrong += status == 0 && pl_order_loses(&p);
		pl_order_promise_fini(&p);
		pl_order_result_fini(&r);
		refused = failalloc_end(&live);
		silent += refused && status == 0;
		wrong += live != 0 || (status && !refused) || (status && err.code != PL_ESYSTEM);
		k += step;
	} while (refused);
	ok(k > 20 * step && silent < k / step / 20, "%s, %s: %zu allocations refused in turn",
	   algorithm ? algorithm : "default", seconds ? "seconds" : "hops", k / step - 1);
	ok(wrong == 0, "%zu times another error, a leak or a slower order", wrong);
	release(&in);
}

int main(void)
{
	test_never_slower(1e9, 4);
	test_never_slower(1e7, 1);
	test_weighed(0, true);
	test_weighed(0.4, false);
	test_wanted();
	test_memory(NULL, 1, false);
	test_memory("ring", 1, false);
	test_memory(NULL, 11, true);
	return done_testing();
}

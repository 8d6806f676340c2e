/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-promise.c - orders for a workload: never slower, costs by call,
 * memory */
#include "config.h"

#include "base/mem.h"
#include "base/rng.h"
#include "order/calls/promise.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

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

static void test_never_slower(void)
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

		o.names.collective = collective[k % 3];
		fill(&in, 5 + k % 4, &rng);
		if (pl_order_promise_find(&p, &r, &in, &o, &never, NULL))
			abort();
		for (size_t i = 0; i < p.w.n; i++) {
			runs++;
			losses += p.call[i].found > 1.01 * p.call[i].given;
			losses += p.call[i].least > p.call[i].found;
		}
		gains += p.gain >= PL_ORDER_NOTICED;
		changed += !r.unchanged;
		pl_order_promise_fini(&p);
		pl_order_result_fini(&r);
		release(&in);
	}
	ok(losses == 0, "%zu calls, seed %d: none slower", runs, (int)seed);
	ok(gains == changed && gains > 3, "%zu of 12 networks have another order, as many gain",
	   gains);
}

/* Allocations refused in turn, every @step-th; without times it is by hops.
 * Where no ring is seen for lack of memory the search is another one, and no
 * error. */
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
	test_never_slower();
	test_memory(NULL, 1, false);
	test_memory("ring", 1, false);
	test_memory(NULL, 3, true);
	return done_testing();
}

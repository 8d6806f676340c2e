/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-stages.c - the PLink thesis' two stages: annealing, then Z3 */
#include "config.h"

#include "bench/thesis-stages.h"

#include "bench/processor-time.h"
#include "base/mem.h"
#include "solver/order/symmetry.h"
#include "solver/proof/order-proof.h"
#include "solver/thesis/anneal.h"

#include <stdlib.h>

/* Moves of the annealing that tell how long one takes, twice as many until they take this long. */
#define ANNEALED_FIRST 500
#define LOOK_SECONDS 0.01

/* As many moves as fit into those seconds, by what the first ones take. */
static int anneal(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
		  uint64_t seed, size_t *at, struct thesis_stages *out, struct pl_err *err)
{
	const double start = processor_seconds();
	struct pl_anneal_options options = {
		.shape = shape,
		.costs = costs,
		.moves = ANNEALED_FIRST,
		.seed = seed,
	};
	struct pl_anneal_result result;
	double took = 0, left = seconds;

	for (bool all = false; !all; options.moves *= 2) {
		const double before = processor_seconds();

		if (took > LOOK_SECONDS || took > left) {
			all = true;
			options.moves = (uint64_t)((double)options.moves / 2 * left / took) + 1;
		}
		for (size_t k = 0; k < costs->n; k++)
			at[k] = k;
		if (pl_anneal(&options, at, &result, err))
			return -1;
		took = processor_seconds() - before;
		left = seconds - (processor_seconds() - start);
		left = left > 0 ? left : 0;
		all = all || costs->n < 2;
	}
	out->given = result.cost_given;
	out->annealed = out->refined = result.cost;
	return 0;
}

static int ask(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
	       uint64_t seed, size_t *at, struct thesis_stages *out, struct pl_err *err)
{
	struct pl_proof_options options = {
		.shape = shape,
		.costs = costs,
		.alike = 1,
		.seed = seed,
	};
	struct pl_proof_result result;
	struct pl_symmetry y;
	int rc;

	if (pl_symmetry_find(&y, shape, costs, costs->n, 1, err))
		return -1;
	options.first_stays = y.free;
	options.stop = processor_stop(seconds);
	rc = pl_order_prove(&options, at, &result, err);
	processor_stop(0);
	out->refined = result.cost;
	return rc;
}

int thesis_stages(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
		  uint64_t seed, struct thesis_stages *out, struct pl_err *err)
{
	const bool asks = pl_proof_built();
	size_t *at = pl_array_create(costs->n, sizeof(*at));
	int rc;

	if (!at)
		return pl_err_nomem(err);
	if (asks)
		seconds /= 2;
	rc = anneal(shape, costs, seconds, seed, at, out, err);
	if (rc == 0 && asks)
		rc = ask(shape, costs, seconds, seed, at, out, err);
	free(at);
	return rc;
}

int thesis_stages_ring(const double *c, size_t n, double seconds, uint64_t seed,
		       struct thesis_stages *out, struct pl_err *err)
{
	const struct pl_costs costs = {.n = n, .c = c};
	struct pl_shape shape = {.kind = PL_SUM, .n_pos = n};
	int rc = pl_shape_add_ring(&shape, n, 1, (struct pl_hop){.times = 1}, err);

	if (rc == 0)
		rc = thesis_stages(&shape, &costs, seconds, seed, out, err);
	pl_shape_fini(&shape);
	return rc;
}

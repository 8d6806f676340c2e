/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-stages.c - the PLink thesis' two stages on a ring: annealing, then
 * Z3 */
#include "config.h"

#include "bench/thesis-stages.h"

#include "base/clock.h"
#include "base/mem.h"
#include "costmodels/shape.h"
#include "solver/proof/order-proof.h"
#include "solver/thesis/anneal.h"

#include <stdlib.h>

static struct pl_stop within(double seconds)
{
	return (struct pl_stop){.deadline_ns = pl_clock_ns() + (int64_t)(seconds * 1e9)};
}

static int anneal(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
		  uint64_t seed, size_t *at, struct thesis_stages *out, struct pl_err *err)
{
	const struct pl_stop stop = within(seconds);
	struct pl_anneal_options options = {
		.shape = shape,
		.costs = costs,
		.moves = UINT64_MAX,
		.seed = seed,
		.stop = &stop,
	};
	struct pl_anneal_result result;

	for (size_t k = 0; k < costs->n; k++)
		at[k] = k;
	if (pl_anneal(&options, at, &result, err))
		return -1;
	out->given = result.cost_given;
	out->annealed = out->refined = result.cost;
	return 0;
}

static int ask(const struct pl_shape *shape, const struct pl_costs *costs, double seconds,
	       uint64_t seed, size_t *at, struct thesis_stages *out, struct pl_err *err)
{
	const struct pl_stop stop = within(seconds);
	const struct pl_proof_options options = {
		.shape = shape,
		.costs = costs,
		.alike = 1,
		.seed = seed,
		.first_stays = true,
		.stop = &stop,
	};
	struct pl_proof_result result;

	if (pl_order_prove(&options, at, &result, err))
		return -1;
	out->refined = result.cost;
	return 0;
}

int thesis_stages(const struct instance *in, double seconds, uint64_t seed,
		  struct thesis_stages *out, struct pl_err *err)
{
	const struct pl_costs costs = {.n = in->n, .c = in->c};
	const bool asks = pl_proof_built();
	struct pl_shape shape = {.kind = PL_SUM, .n_pos = in->n};
	size_t *at = pl_array_create(in->n, sizeof(*at));
	int rc = -1;

	if (asks)
		seconds /= 2;
	if (!at)
		pl_err_nomem(err);
	else if (pl_shape_add_ring(&shape, in->n, 1, (struct pl_hop){.times = 1}, err) == 0)
		rc = anneal(&shape, &costs, seconds, seed, at, out, err);
	if (rc == 0 && asks)
		rc = ask(&shape, &costs, seconds, seed, at, out, err);
	pl_shape_fini(&shape);
	free(at);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-search.c - the cheapest assignment found, never dearer than that
 * given */
#include "config.h"

#include "solver/assign/assign.h"

#include "base/mem.h"
#include "solver/assign/assign-levels.h"
#include "solver/assign/flows.h"
#include "solver/assign/population.h"

#include <stdlib.h>
#include <string.h>

int pl_assign_search(const struct pl_assign_problem *problem,
		     const struct pl_assign_options *options, size_t *host_at,
		     struct pl_assign_result *result, struct pl_err *err)
{
	const size_t bytes = problem->n_pos * sizeof(*host_at);
	struct pl_assign_flows f;
	size_t *at;
	double cost;
	int rc = 0;

	if (pl_assign_flows_init(&f, problem, host_at, err))
		return -1;
	cost = pl_assign_cost(problem, host_at);
	*result = (struct pl_assign_result){.cost_given = cost, .cost = cost};
	at = pl_array_create(problem->n_pos, sizeof(*at));
	if (!at) {
		rc = pl_err_nomem(err);
		goto out;
	}
	memcpy(at, host_at, bytes);
	if (cost > options->target)
		rc = f.n_slots <= PL_ASSIGN_DENSE_MAX
			     ? pl_assign_population(&f, options, at, result, err)
			     : pl_assign_levels(&f, options, at, result, err);
	cost = pl_assign_cost(problem, at);
	if (rc == 0 && cost < result->cost) {
		memcpy(host_at, at, bytes);
		result->cost = cost;
	}
out:
	free(at);
	pl_assign_flows_fini(&f);
	return rc;
}

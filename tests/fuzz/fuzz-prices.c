/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-prices.c - any bytes as prices of deployments: costs above 0, or an
 * error with its place */
#include "config.h"

#include "planner/rack/deploy.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct pl_deploy *d)
{
	struct pl_deploy_cost c;

	if (!d->name || d->n == 0)
		abort();
	for (size_t i = 0; i < d->n; i++)
		if (pl_deploy_cost(d, d->hubs, d->ratio[i], &c, NULL) == 0 &&
		    !(c.workers > 0 && c.worker > 0 && isfinite(c.per_1000)))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_deploys d = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_deploys_parse(&d, &text, &err) == 0)
		for (size_t i = 0; i < d.n; i++)
			check(&d.v[i]);
	else if (err.code != PL_EINPUT || err.line < 1 || err.col < 1 || d.v)
		abort();
	pl_deploys_fini(&d);
	pl_text_fini(&text);
	return 0;
}

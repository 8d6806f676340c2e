/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-prices.c - any bytes as prices of deployments: costs above 0, or an error with its place */
#include "config.h"

#include "planner/srift/comm/hub-costs.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_deploys d = {0};
	struct pl_text text;
	struct pl_err err = {0};

	if (pl_text_copy(&text, "fuzz", data, size, &err))
		return 0;
	if (pl_deploys_parse(&d, &text, &err)) {
		if (err.code != PL_EINPUT || err.line < 1 || err.col < 1 || d.v)
			abort();
	} else if (d.n == 0)
		abort();
	for (size_t i = 0; i < d.n; i++)
		if (!d.v[i].name || !(d.v[i].workers >= 1) ||
		    !(d.v[i].worker > 0 && isfinite(d.v[i].per_1000)))
			abort();
	pl_deploys_fini(&d);
	pl_text_fini(&text);
	return 0;
}

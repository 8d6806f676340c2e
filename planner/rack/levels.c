/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - does an aggregator in each rack pay? */
#include "config.h"

#include "planner/rack/levels.h"

#include <math.h>

struct pl_rack_levels_time pl_rack_levels_judge(const struct pl_rack_levels *l)
{
	const double n = (double)l->n_workers, r = (double)l->n_racks;
	struct pl_rack_levels_time t = {
		.flat = n * (r - 1) / (r * l->core),
		.local = fmax(n / l->hub, 1 / l->worker),
		.between = l->between_s_per_byte,
	};

	if (isnan(t.between))
		t.between = (r - 1) / (r * fmin(l->hub, l->core));
	t.pays = t.flat > t.local + t.between;
	return t;
}

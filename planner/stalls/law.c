/* SPDX-License-Identifier: BSD-3-Clause */
/* law.c - what an exchange of gradients takes, by layers and bytes */
#include "config.h"

#include "planner/stalls/law.h"

#include <math.h>

#define PROPORTIONAL 1e-9 /* of a determinant, against its terms */

double pl_stall_exchange_s(const struct pl_stall_link *link, const struct pl_stall_model *model)
{
	return link->latency_s * model->layers + model->bytes / link->bytes_per_s;
}

double pl_stall_crossover(const struct pl_stall_model *a, const struct pl_stall_model *b,
			  double latency_s)
{
	const double rate = (a->bytes - b->bytes) / (latency_s * (b->layers - a->layers));

	return rate > 0 && isfinite(rate) ? rate : NAN;
}

/* Sums over the runs: of l * l, l * g, g * g, l * t and g * t. */
struct sums {
	double ll, lg, gg, lt, gt;
	size_t n;
};

static struct sums add_up(const struct pl_stall_runs *runs, enum pl_stall stall)
{
	struct sums s = {.n = 0};

	for (size_t i = 0; i < runs->n; i++) {
		const struct pl_stall_run *run = &runs->v[i];
		const double t = pl_stall_parts_of(run).s[stall];
		const double l = (double)run->layers;
		const double g = (double)run->gradients;

		if (isnan(t) || run->layers == 0 || run->gradients == 0)
			continue;
		s.ll += l * l;
		s.lg += l * g;
		s.gg += g * g;
		s.lt += l * t;
		s.gt += g * t;
		s.n++;
	}
	return s;
}

int pl_stall_link_fit(struct pl_stall_link *link, const struct pl_stall_runs *runs,
		      enum pl_stall stall, struct pl_err *err)
{
	const struct sums s = add_up(runs, stall);
	const double det = s.ll * s.gg - s.lg * s.lg;
	double latency_s, s_per_byte;

	if (s.n < 2 || !(det > PROPORTIONAL * s.ll * s.gg))
		return pl_err_set(err, PL_EINPUT,
				  "at least two runs must have the %s stall, layers and gradients, "
				  "in different proportions, to separate latency from bandwidth",
				  pl_stall_name(stall));
	latency_s = (s.lt * s.gg - s.gt * s.lg) / det;
	s_per_byte = (s.gt * s.ll - s.lt * s.lg) / det;
	if (!(latency_s >= 0 && s_per_byte >= 0))
		return pl_err_set(err, PL_EINPUT,
				  "no link explains the %s stalls: its latency or bandwidth would "
				  "be negative",
				  pl_stall_name(stall));
	link->latency_s = latency_s;
	link->bytes_per_s = 1 / s_per_byte;
	return 0;
}

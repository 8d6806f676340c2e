/* SPDX-License-Identifier: BSD-3-Clause */
/* settle.c - when a percentile is known well enough to stop measuring */
#include "config.h"

#include "probes/pair/settle.h"

#include "base/stats.h"

#include <math.h>

#define CONFIDENCE 0.95

int pl_settle_interval(size_t n, double p, double confidence, size_t *low, size_t *high)
{
	const double tail = (1 - confidence) / 2;
	/* logarithms: (1 - p)^n itself may be too small for a double */
	double log_mass = (double)n * log1p(-p), below = 0;
	size_t found = 0;
	bool any = false;

	for (size_t k = 0; k < n; k++) {
		below += exp(log_mass); /* P(at most k values below) */
		if (below <= tail) {
			found = k;
			any = true;
		}
		if (below >= 1 - tail) {
			if (!any)
				return -1;
			*low = found;
			*high = k;
			return 0;
		}
		log_mass += log((double)(n - k) / (double)(k + 1)) + log(p) - log1p(-p);
	}
	return -1;
}

bool pl_settled(const int64_t *v, size_t n, double p, const struct pl_tolerance *tolerance)
{
	size_t low, high;
	double value, slack;

	if (pl_settle_interval(n, p, CONFIDENCE, &low, &high))
		return false;
	value = (double)v[pl_percentile_index(n, p)];
	slack = tolerance->share * value + (double)tolerance->ns;
	return value - (double)v[low] <= slack && (double)v[high] - value <= slack;
}

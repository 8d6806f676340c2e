/* SPDX-License-Identifier: BSD-3-Clause */
/* prices.c - what a spot machine cost over a while, as recorded */
#include "config.h"

#include "planner/transient/prices.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define S_PER_HOUR 3600

void pl_prices_fini(struct pl_prices *p)
{
	free(p->end_s);
	free(p->spent);
	*p = (struct pl_prices){0};
}

double pl_prices_length_s(const struct pl_prices *p)
{
	return p->n ? p->end_s[p->n - 1] : 0;
}

static double all_spent(const struct pl_prices *p)
{
	return p->n ? p->spent[p->n - 1] : 0;
}

int pl_prices_add(struct pl_prices *p, double per_hour, double for_s)
{
	if (pl_array_grow((void **)&p->end_s, &p->room, p->n, sizeof(*p->end_s)) ||
	    pl_array_grow((void **)&p->spent, &p->spent_room, p->n, sizeof(*p->spent)))
		return -1;
	p->end_s[p->n] = pl_prices_length_s(p) + for_s;
	p->spent[p->n] = all_spent(p) + per_hour / S_PER_HOUR * for_s;
	p->n++;
	return 0;
}

double pl_prices_mean(const struct pl_prices *p)
{
	return all_spent(p) / pl_prices_length_s(p) * S_PER_HOUR;
}

/* Dollars from the beginning of the record to @s. */
static double spent_by(const struct pl_prices *p, double s)
{
	const double length_s = pl_prices_length_s(p);
	const double rounds = floor(s / length_s);
	const double at_s = s - rounds * length_s;
	size_t low = 0, high = p->n - 1;
	double from_s, from;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (p->end_s[mid] <= at_s)
			low = mid + 1;
		else
			high = mid;
	}
	from_s = low ? p->end_s[low - 1] : 0;
	from = low ? p->spent[low - 1] : 0;
	return rounds * all_spent(p) + from +
	       (p->spent[low] - from) * (at_s - from_s) / (p->end_s[low] - from_s);
}

double pl_prices_dollars(const struct pl_prices *p, double from_s, double to_s)
{
	return spent_by(p, to_s) - spent_by(p, from_s);
}

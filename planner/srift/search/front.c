/* SPDX-License-Identifier: BSD-3-Clause */
/* front.c - choices of which none is both faster and cheaper than another */
#include "config.h"

#include "planner/srift/search/front.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_front_fini(struct pl_front *front)
{
	free(front->quote);
	memset(front, 0, sizeof(*front));
}

static double cost(const struct pl_quote *q)
{
	return q->seconds * q->per_hour;
}

/* The first that takes longer. */
static size_t behind(const struct pl_front *front, double seconds)
{
	size_t low = 0, high = front->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (front->quote[mid].seconds <= seconds)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool pl_front_covers(const struct pl_front *front, double seconds, double dollars)
{
	const size_t at = behind(front, seconds);

	return at > 0 && cost(&front->quote[at - 1]) <= dollars;
}

int pl_front_add(struct pl_front *front, const struct pl_quote *q)
{
	struct pl_quote *v;
	size_t at, end;

	if (pl_front_covers(front, q->seconds, cost(q)))
		return 0;
	if (pl_array_grow((void **)&front->quote, &front->room, front->n, sizeof(*front->quote)))
		return -1;
	v = front->quote;
	at = behind(front, q->seconds);
	if (at > 0 && v[at - 1].seconds == q->seconds)
		at--;
	for (end = at; end < front->n && cost(&v[end]) >= cost(q);)
		end++;
	memmove(&v[at + 1], &v[end], (front->n - end) * sizeof(*v));
	v[at] = *q;
	front->n = at + 1 + (front->n - end);
	return 0;
}

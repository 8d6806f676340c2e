/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c - who sends how much to whom in a collective */
#include "config.h"

#include "costmodels/pattern.h"

#include <stdlib.h>
#include <string.h>

void pl_pattern_fini(struct pl_pattern *p)
{
	free(p->message);
	free(p->from);
	free(p->received);
	free(p->into);
	free(p->n_steps);
	free(p->work);
	free(p->strand);
	memset(p, 0, sizeof(*p));
}

uint32_t pl_pattern_strand_step(const struct pl_pattern *p, size_t pos, uint32_t step)
{
	size_t low = 0, high = p->n_strands;

	/* behind the last strand that begins at or before it */
	while (low < high) {
		const size_t mid = low + (high - low) / 2;
		const struct pl_strand *s = &p->strand[mid];

		if (s->pos < pos || (s->pos == pos && s->first_step <= step))
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && p->strand[low - 1].pos == pos ? p->strand[low - 1].first_step : 0;
}

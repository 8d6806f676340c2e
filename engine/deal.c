/* SPDX-License-Identifier: BSD-3-Clause */
/* deal.c - items of several sizes, dealt out to bins */
#include "config.h"

#include "engine/deal.h"

#include <assert.h>
#include <stdlib.h>

/* By group; in a group the longest first, those of one size by index. */
static int compare(const void *a, const void *b)
{
	const struct pl_deal_item *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

void pl_deal(struct pl_deal_item *item, size_t n, size_t n_bins, uint8_t *bin)
{
	size_t in[PL_DEAL_BINS_MAX];

	assert(n_bins > 0 && n_bins <= PL_DEAL_BINS_MAX);
	qsort(item, n, sizeof(*item), compare);
	for (size_t i = 0; i < n; i++) {
		size_t least = 0;

		if (i == 0 || item[i].group != item[i - 1].group)
			for (size_t k = 0; k < n_bins; k++)
				in[k] = 0;
		for (size_t k = 1; k < n_bins; k++)
			if (in[k] < in[least])
				least = k;
		in[least] += item[i].size;
		bin[item[i].index] = (uint8_t)least;
	}
}

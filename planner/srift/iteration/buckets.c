/* SPDX-License-Identifier: BSD-3-Clause */
/* buckets.c - the all-reduces of an iteration: one for a layer, or for
 * several */
#include "config.h"

#include "planner/srift/iteration/buckets.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_buckets_fini(struct pl_buckets *b)
{
	free(b->order);
	free(b->bucket);
	memset(b, 0, sizeof(*b));
}

static int compare(const void *a, const void *b, void *times)
{
	const double *ready_s = times;
	const size_t i = *(const size_t *)a, j = *(const size_t *)b;

	if (ready_s[i] != ready_s[j])
		return ready_s[i] < ready_s[j] ? -1 : 1;
	return (i < j) - (i > j); /* the backward pass begins with the last */
}

int pl_buckets_init(struct pl_buckets *b, const struct pl_profile *profile, const double *ready_s,
		    const struct pl_bucket_rule *rule)
{
	uint64_t limit = rule->first_bytes;
	bool open = false;

	*b = (struct pl_buckets){0};
	b->order = pl_array_create(profile->n_layers, sizeof(*b->order));
	b->bucket = pl_array_create(profile->n_layers, sizeof(*b->bucket));
	if (!b->order || !b->bucket) {
		pl_buckets_fini(b);
		return -1;
	}
	for (size_t i = 0; i < profile->n_layers; i++)
		if (profile->layer[i].bytes)
			b->order[b->n_layers++] = i;
	qsort_r(b->order, b->n_layers, sizeof(*b->order), compare, (void *)(uintptr_t)ready_s);
	for (size_t k = 0; k < b->n_layers; k++) {
		struct pl_bucket *bucket;

		if (!open) {
			bucket = &b->bucket[b->n++];
			*bucket = (struct pl_bucket){.first = k};
		}
		bucket = &b->bucket[b->n - 1];
		bucket->n++;
		bucket->bytes += profile->layer[b->order[k]].bytes;
		open = bucket->bytes < limit;
		if (!open)
			limit = rule->bytes;
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* buckets.h - the all-reduces of an iteration: one for each layer, or for several layers */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_BUCKETS_H
#define PLINK_PLANNER_SRIFT_ITERATION_BUCKETS_H

#include "planner/srift/profile/profile.h"

#include <stddef.h>
#include <stdint.h>

/* Defaults of DistributedDataParallel in PyTorch. */
#define PL_DDP_FIRST_BYTES ((uint64_t)1 << 20)
#define PL_DDP_BUCKET_BYTES ((uint64_t)25 << 20)

struct pl_bucket {
	size_t first, n; /* layers order[first .. first + n - 1] */
	uint64_t bytes;
};

/* Layers that have gradients, in the order in which the gradients become ready, and the groups that
 * are exchanged together. Start with {0}, end with fini. */
struct pl_buckets {
	size_t *order; /* [n_layers] layers */
	size_t n_layers;
	struct pl_bucket *bucket;
	size_t n;
};

/* Sizes of buckets; 0: one bucket for each layer. */
struct pl_bucket_rule {
	uint64_t first_bytes, bytes;
};

/*
 * ready_s[layer] is the time when the gradients of a layer are ready. Layers
 * are put into a bucket until it holds at least the bytes of @rule; a layer is
 * never split. PyTorch 1.13 does the same (compute_bucket_assignment_by_size(),
 * after the first iteration).
 * 0, or -1: out of memory.
 */
int pl_buckets_init(struct pl_buckets *b, const struct pl_profile *profile, const double *ready_s,
		    const struct pl_bucket_rule *rule);
void pl_buckets_fini(struct pl_buckets *b);

#endif

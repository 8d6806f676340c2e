/* SPDX-License-Identifier: BSD-3-Clause */
/* iteration.h - how long an iteration of training takes */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_ITERATION_H
#define PLINK_PLANNER_SRIFT_ITERATION_ITERATION_H

#include "base/err.h"
#include "planner/srift/comm/comm.h"
#include "planner/srift/iteration/buckets.h"
#include "planner/srift/iteration/exchange.h"
#include "planner/srift/iteration/selection.h"
#include "planner/srift/iteration/straggler.h"
#include "planner/srift/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_iteration_options {
	size_t draws; /* iterations of which the mean is taken; more than 0 */
	uint64_t seed;
	struct pl_bucket_rule buckets; /* {0}: each layer on its own */
	double cap_bytes_per_s;        /* 0: what the network's model says */
	size_t at_once;                /* all-reduces under way; 0: no limit */
	/* bandwidths are asked for the next power of two, as by the paper,
	 * whose model knows no others */
	bool round_up;
};

/* Means over the draws. Start with {0}, end with fini. */
struct pl_iteration {
	double forward_s, backward_s; /* of the slowest machine */
	/* from the beginning of the backward pass to the end of the last
	 * all-reduce; 0 where there is none */
	double exchange_s;
	double seconds;  /* forward_s + max(backward_s, exchange_s) */
	double slowness; /* over that of the slowest type without chance */
	double cap_bytes_per_s;
	uint64_t bytes;  /* of gradients */
	double *ready_s; /* [n_layers] since the beginning of the
			  * backward pass */
	/* the all-reduces, where every layer runs */
	struct pl_buckets buckets;
	struct pl_transfer *transfer;       /* [buckets.n] */
	struct pl_exchange_result exchange; /* of these */
};

/*
 * t_iter = t_fw + max(t_bw, t_pe) (srift 4.3). Compute times are those of the
 * slowest machine, in the mean (pl_slowest_draw()); the gradients of a layer
 * are there when that machine's profile says. A dynamic layer is exchanged in
 * those draws in which any rank runs it; in buckets, always.
 * 0, or -1 with @it empty and @err set: no memory, or what the network's model
 * says. Same arguments, same bits.
 */
int pl_iterate(struct pl_iteration *it, const struct pl_profile *profile,
	       const struct pl_selection *sel, const struct pl_comm *comm,
	       const struct pl_iteration_options *o, struct pl_err *err);

/* The same where the slowest machine was found by pl_slowest_take(), of factors
 * from pl_part_slowness() with this base. Same bits as the above. */
uint64_t pl_iteration_base(const struct pl_iteration_options *o);
int pl_iterate_slowest(struct pl_iteration *it,
		       const struct pl_profile *profile,
		       const struct pl_selection *sel,
		       const struct pl_slowest *slowest,
		       const struct pl_comm *comm,
		       const struct pl_iteration_options *o,
		       struct pl_err *err);
void pl_iteration_fini(struct pl_iteration *it);

#endif

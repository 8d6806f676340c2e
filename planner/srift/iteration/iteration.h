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
#include <stdio.h>

struct pl_iteration_options {
	size_t draws; /* iterations to average over; more than 0 */
	uint64_t seed;
	struct pl_bucket_rule buckets; /* {0}: each layer on its own */
	double cap_bytes_per_s;        /* 0: the cap of the network model */
	size_t at_once;                /* most all-reduces under way; 0: no limit */
	/* ask for the bandwidth of the next power of two, as in the paper, whose model has only
	 * these sizes */
	bool round_up;
	/* nothing is simulated: so long the exchange is waited for */
	bool wait_is_known;
	double wait_s;
};

/* The size whose bandwidth the network model is asked for, for an all-reduce of @bytes. */
double pl_iteration_asked(const struct pl_iteration_options *o, double bytes);

/* Means over the draws. Start with {0}, end with fini. */
struct pl_iteration {
	double forward_s, backward_s; /* of the slowest machine */
	double prep_s, fetch_s;       /* parts of forward_s: waits for data */
	/* from the beginning of the backward pass to the end of the last all-reduce; 0 without
	 * all-reduces */
	double exchange_s;
	double seconds;  /* forward_s + max(backward_s, exchange_s) */
	double slowness; /* compute time over mean time of the slowest type */
	double cap_bytes_per_s;
	uint64_t bytes;  /* of gradients */
	double *ready_s; /* [n_layers] since the beginning of the
			  * backward pass */
	/* the all-reduces of an iteration in which every layer runs */
	struct pl_buckets buckets;
	struct pl_transfer *transfer;       /* [buckets.n] */
	struct pl_exchange_result exchange; /* of these */
};

/*
 * t_iter = t_fw + max(t_bw, t_pe) (srift 4.3). Compute times are the mean of
 * the slowest machine (pl_slowest_draw()); the profile of that machine gives
 * the time when the gradients of a layer are ready. A dynamic layer is
 * exchanged in those draws in which any rank runs it; in buckets, always.
 * 0, or -1 with @it empty and @err set: out of memory, or an error of the
 * network model. Same arguments, same bits.
 */
int pl_iterate(struct pl_iteration *it, const struct pl_profile *profile,
	       const struct pl_selection *sel, const struct pl_comm *comm,
	       const struct pl_iteration_options *o, struct pl_err *err);

/* The same for a slowest machine found by pl_slowest_take(), with factors from pl_part_slowness()
 * and this base. Gives the same bits as pl_iterate(). */
uint64_t pl_iteration_base(const struct pl_iteration_options *o);
int pl_iterate_slowest(struct pl_iteration *it, const struct pl_profile *profile,
		       const struct pl_selection *sel, const struct pl_slowest *slowest,
		       const struct pl_comm *comm, const struct pl_iteration_options *o,
		       struct pl_err *err);
void pl_iteration_fini(struct pl_iteration *it);

/* Sets the times of the slowest machine but for ready_s. */
void pl_iteration_take_slowest(struct pl_iteration *it, const struct pl_selection *sel,
			       const struct pl_slowest *slowest);

/*
 * trace.c: writes the iteration as a timeline for Perfetto and chrome://tracing, JSON in Chrome's
 * trace event format, with times in us from the beginning of the forward pass: both passes, the
 * times when the gradients of each layer are ready, and the all-reduces, with overlapping ones on
 * separate lines. 0, or -1 with @err set; the caller closes @out.
 */
int pl_iteration_trace(const struct pl_iteration *it, const struct pl_profile *profile, FILE *out,
		       struct pl_err *err);

#endif

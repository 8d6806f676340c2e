/* SPDX-License-Identifier: BSD-3-Clause */
/* again.h - pairs measured a second time: which value holds, and what has
 * drifted */
#ifndef PLINK_PROBES_RUN_AGAIN_H
#define PLINK_PROBES_RUN_AGAIN_H

#include "probes/run/collect.h"
#include "probes/run/rounds.h"

/* The second pass. Start with {0}; end with pl_again_fini. */
struct pl_again {
	struct pl_collect *collect; /* holds the first values; borrowed */
	const struct pl_probe_options *options; /* borrowed */
	struct pl_meet *v;                      /* [n] pairs to be measured */
	size_t n, n_drift;  /* the first n_drift are for the drift */
	size_t n_suspects;  /* those behind them, and maybe some of them */
	uint8_t *suspected; /* [n] */
	size_t *by_pair;    /* [n] into v, by a and b */
	double *shift; /* [n_shifts] second less first, share of the first */
	size_t n_shifts, n_beyond, n_replaced;
};

/*
 * Chooses the pairs: v[n_first] of the first pass were begun before all others
 * and are measured again for the drift (options->drift_pairs at most, both
 * their directions must have a value); and the suspects (suspect.h), up to
 * options->again_share of all pairs. 0, or -1 with @err set.
 */
int pl_again_choose(struct pl_again *a, const struct pl_meet *first,
		    size_t n_first, struct pl_err *err);
void pl_again_fini(struct pl_again *a);

/* A second result of src -> dst. It replaces the first one where the pair was
 * suspected, enough probes were answered and its p10 is lower: what disturbs a
 * probe only ever makes it slower. 0, or -1: out of memory. */
int pl_again_take(struct pl_again *a, size_t src, size_t dst,
		  const struct pl_probed_pair *pair);

/* Fills the report's figures and notes them in the matrix' header.
 * 0, or -1: out of memory. */
int pl_again_report(struct pl_again *a, struct pl_probe_report *report);

#endif

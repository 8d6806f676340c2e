/* SPDX-License-Identifier: BSD-3-Clause */
/* again.h - the second pass: which pairs are measured again, which value holds, and how far values
 * have drifted */
#ifndef PLINK_PROBES_RUN_AGAIN_H
#define PLINK_PROBES_RUN_AGAIN_H

#include "probes/run/collect.h"
#include "probes/run/rounds.h"

/* Where in the list of pairs one is. */
struct pl_again_place {
	uint32_t a, b;
	size_t at;
};

/* The second pass. Start with {0}; end with pl_again_fini. */
struct pl_again {
	struct pl_collect *collect;             /* holds the first values; borrowed */
	const struct pl_probe_options *options; /* borrowed */
	struct pl_meet *v;                      /* [n] pairs to be measured */
	size_t n, n_drift;                      /* the first n_drift are for the drift */
	size_t n_suspects;                      /* those after them, and possibly some of them */
	uint8_t *suspected;                     /* [n] */
	struct pl_again_place *by_pair;         /* [n] sorted */
	double *shift;                          /* [n_shifts] (second - first) / first */
	size_t n_shifts, n_beyond, n_replaced;
};

/*
 * Chooses the pairs of the second pass. For the drift: of first[n_first], the pairs of the first
 * pass that were measured before all others, those with values in both directions, at most
 * options->drift_pairs. In addition the suspects (suspect.h), at most options->again_share of all
 * pairs. 0, or -1 with @err set.
 */
int pl_again_choose(struct pl_again *a, const struct pl_meet *first, size_t n_first,
		    struct pl_err *err);
void pl_again_fini(struct pl_again *a);

/* Takes a second result of src -> dst. It replaces the first one if the pair was suspected, enough
 * probes were answered, and its p10 is lower: a disturbance only makes a probe slower. 0, or -1:
 * out of memory. */
int pl_again_take(struct pl_again *a, size_t src, size_t dst, const struct pl_probed_pair *pair);

/* Fills in the report and adds headers to the matrix. 0, or -1: out of
 * memory. */
int pl_again_report(struct pl_again *a, struct pl_probe_report *report);

#endif

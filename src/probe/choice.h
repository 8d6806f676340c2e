/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - chooses the pairs that plink-probe measures, if not all */
#ifndef PLINK_SRC_PROBE_CHOICE_H
#define PLINK_SRC_PROBE_CHOICE_H

#include "src/probe/args.h"
#include "topology/places.h"
#include "topology/sparse.h"

/* The error of an embedding for pairs that were measured but held back. */
struct probe_off {
	size_t n_ways;      /* directed pairs; 0: not judged, the rest is not set */
	double median, p90; /* relative errors */
};

/* Start with {0}; end with fini. */
struct probe_choice {
	struct pl_probe_chooser chooser;
	const struct probe_args *args; /* borrowed */
	struct pl_places places;
	struct pl_sparse *search;
	struct pl_probe_pair *pair; /* [n_pairs] of the present step */
	size_t n_pairs, room;
	size_t n_searched; /* the first n_searched of these are the search's */
	/* [n_held] random pairs, hidden from the search */
	struct pl_probe_pair *held;
	size_t n_held;
	size_t n_steps, n_unknown;
	char how[128];
};

/* Reads the topology file, if there is one. Sets o->chooser unless all pairs are measured. 0, or -1
 * with @err set. */
int probe_choice_init(struct probe_choice *c, const struct probe_args *args, size_t n_hosts,
		      struct pl_probe_options *o, struct pl_err *err);
void probe_choice_fini(struct probe_choice *c);

/* Embeds the measured pairs except those held back, compares the embedding with these, and notes
 * the result in the matrix. Does not judge a search that could hold nothing back, nor hosts that no
 * pairs link with most others (dead ones). 0, or -1 with @err set. */
int probe_choice_judge(const struct probe_choice *c, struct pl_matrix *m, struct probe_off *off,
		       struct pl_err *err);

#endif

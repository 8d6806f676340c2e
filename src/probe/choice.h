/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.h - which pairs plink-probe measures where it is not all of them */
#ifndef PLINK_SRC_PROBE_CHOICE_H
#define PLINK_SRC_PROBE_CHOICE_H

#include "src/probe/args.h"
#include "topology/places.h"
#include "topology/sparse.h"

/* How far an embedding of what was measured is off where something was held
 * back. */
struct probe_off {
	size_t n_ways; /* directed; 0: not judged, and nothing below holds */
	double median, p90; /* shares of what was measured */
};

/* Start with {0}; end with fini. */
struct probe_choice {
	struct pl_probe_chooser chooser;
	const struct probe_args *args; /* borrowed */
	struct pl_places places;
	struct pl_sparse *search;
	struct pl_probe_pair *pair; /* [n_pairs] of the step under way */
	size_t n_pairs, room;
	size_t n_searched; /* of these, those before it are the search's */
	struct pl_probe_pair *held; /* [n_held] by chance, not for the search */
	size_t n_held;
	size_t n_steps, n_unknown;
	char how[128];
};

/* Reads what is told, where it is. Sets o->chooser where not all pairs are
 * wanted. 0, or -1 with @err set. */
int probe_choice_init(struct probe_choice *c, const struct probe_args *args,
		      size_t n_hosts, struct pl_probe_options *o,
		      struct pl_err *err);
void probe_choice_fini(struct probe_choice *c);

/* Embeds all that was measured but what was held back, compares it with that,
 * and notes that in the matrix. Not judged where a search had nothing to hold
 * back; nor are hosts that no pairs link with most others: dead ones. 0, or -1
 * with @err set. */
int probe_choice_judge(const struct probe_choice *c, struct pl_matrix *m,
		       struct probe_off *off, struct pl_err *err);

#endif

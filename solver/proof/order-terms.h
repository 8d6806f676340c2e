/* SPDX-License-Identifier: BSD-3-Clause */
/* order-terms.h - parts of order-encode.h: a shape's hops as terms of sums */
#ifndef PLINK_SOLVER_PROOF_ORDER_TERMS_H
#define PLINK_SOLVER_PROOF_ORDER_TERMS_H

#include "solver/proof/order-encode.h"

/* Hops of one group between the same two seats that cost the same whatever hosts sit there: stored
 * once, with the number of cells and of bytes. */
struct pl_proof_link {
	size_t src, dst; /* seats */
	uint32_t group;
	double cells, bytes;
};

struct pl_filling {
	struct pl_encoding *e;
	struct pl_proof_link *link;
	size_t n_links;
	int *y; /* [n_free * n_free] of a class of links, or of one link */
	/* of a group: least cost of its dearest hop; the higher costs it may have (levels); and the
	 * literals z that say which it has */
	double base, *level;
	int *z; /* [n_levels] */
	size_t n_levels, levels_room;
};

/* The hosts that may be at the ends of a link, and the literals that say so. */
struct pl_ends {
	size_t i, j; /* indexes of free hosts; 0 for a host that stays */
	double cost;
	int lit[3]; /* say that the hosts are not there; room for one
		       consequence */
	size_t n_lits;
};

typedef int pl_ends_fn(struct pl_filling *f, struct pl_ends *ends, struct pl_err *err);

/* Calls @take for all pairs of hosts that may be at the ends of the link. Pairs too dear for any
 * cheaper order are skipped. 0, or -1 with @err set: @take failed. */
int pl_terms_for_ends(struct pl_filling *f, const struct pl_proof_link *l, pl_ends_fn *take,
		      struct pl_err *err);

/* Adds a sum; adds a term to the last sum. 0, or -1 with @err set: out of memory. */
int pl_terms_new_sum(struct pl_encoding *e, struct pl_err *err);
int pl_terms_add(struct pl_encoding *e, struct pl_term term, struct pl_err *err);

/* If both ends could have other hosts: creates f->y of the two hosts unless it exists, and adds the
 * constraint that the hosts at the ends imply it. Returns true if f->y existed before. */
bool pl_terms_imply(struct pl_filling *f, const struct pl_ends *ends);

/* Adds the cost of the hosts at the ends to the last sum. @known: f->y of them is in the sum
 * already. 0, or -1 with @err set: out of memory. */
int pl_terms_add_cost(struct pl_filling *f, struct pl_ends *ends, bool known, struct pl_err *err);

/* Adds a sum for every path; @y [hops * n_free * n_free] must be zeroed. 0, or -1 with @err set:
 * out of memory. */
int pl_terms_fill_paths(struct pl_filling *f, int *y, struct pl_err *err);

/* Fills e->sum. 0, or -1 with @err set: memory. */
int pl_terms_fill(struct pl_encoding *e, struct pl_err *err);

#endif

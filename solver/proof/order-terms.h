/* SPDX-License-Identifier: BSD-3-Clause */
/* order-terms.h - parts of order-encode.h: a shape's hops as terms of sums */
#ifndef PLINK_SOLVER_PROOF_ORDER_TERMS_H
#define PLINK_SOLVER_PROOF_ORDER_TERMS_H

#include "solver/proof/order-encode.h"

/* Hops of a group from a seat to another that cost the same, whatever hosts
 * sit there: once with their number of cells and of bytes. */
struct pl_proof_link {
	size_t src, dst; /* seats */
	uint32_t group;
	double cells, bytes;
};

struct pl_filling {
	struct pl_encoding *e;
	struct pl_proof_link *link;
	size_t n_links;
	int *y; /* [n_free * n_free] of a class of links, or of a link */
	/* of a group: no less than that, what more it may be, and what says
	 * so */
	double base, *level;
	int *z; /* [n_levels] */
	size_t n_levels, levels_room;
};

/* Of a link: the hosts that may be at its ends, and what says that they are. */
struct pl_ends {
	size_t i, j; /* of the free hosts; 0 for the one that stays */
	double cost;
	int lit[3]; /* that they are not there, and room for what follows */
	size_t n_lits;
};

typedef int pl_ends_fn(struct pl_filling *f, struct pl_ends *ends,
		       struct pl_err *err);

/* Calls @take for all hosts that may be at the ends of the link. Those too dear
 * for any cheaper order may not. 0, or -1 with @err set: what @take gave. */
int pl_terms_for_ends(struct pl_filling *f, const struct pl_proof_link *l,
		      pl_ends_fn *take, struct pl_err *err);

/* One more sum; one more term of the last sum. 0, or -1 with @err set:
 * memory. */
int pl_terms_new_sum(struct pl_encoding *e, struct pl_err *err);
int pl_terms_add(struct pl_encoding *e, struct pl_term term,
		 struct pl_err *err);

/* f->y of both hosts, where both could be others. Was there one before? */
bool pl_terms_imply(struct pl_filling *f, const struct pl_ends *ends);

/* What the hosts at the ends cost is added to the last sum; @known: f->y of
 * them is in it already. 0, or -1 with @err set: memory. */
int pl_terms_add_cost(struct pl_filling *f, struct pl_ends *ends, bool known,
		      struct pl_err *err);

/* A sum for every path; @y [hops * n_free * n_free] zeroed. 0, or -1 with @err
 * set: memory. */
int pl_terms_fill_paths(struct pl_filling *f, int *y, struct pl_err *err);

/* Fills e->sum. 0, or -1 with @err set: memory. */
int pl_terms_fill(struct pl_encoding *e, struct pl_err *err);

#endif

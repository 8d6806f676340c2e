/* SPDX-License-Identifier: BSD-3-Clause */
/* alternate.h - the differences of two rings, as cycles of alternating links */
#ifndef PLINK_SOLVER_RING_ALTERNATE_H
#define PLINK_SOLVER_RING_ALTERNATE_H

#include "base/err.h"
#include "base/rng.h"
#include "solver/ring/tour.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Every link that only one of the two rings has is on exactly one cycle, on
 * which links of ring a and of ring b alternate. Cycle k is host[first[k]] ..
 * host[first[k + 1]]; its first link is one of ring a, its last one of ring b.
 * If directions matter, links of a are followed forward and links of b
 * backward.
 * Nagata, Kobayashi, INFORMS J. Comput. 25 (2013).
 */
struct pl_alternate {
	size_t n, n_cycles;
	bool directed;
	uint32_t *host;        /* [2n] */
	size_t *first;         /* [n + 1] */
	uint32_t *todo;        /* [4n] scratch: by host, links of a, of b */
	unsigned char *n_todo; /* [2n] */
	uint32_t *way;         /* [2n + 1] scratch */
	uint32_t *seen;        /* [2n] by host and parity: where on the way */
};

/* 0, or -1 with @err set: out of memory. */
int pl_alternate_init(struct pl_alternate *x, size_t n, struct pl_err *err);
void pl_alternate_fini(struct pl_alternate *x);

/* Finds the cycles of two rings. There may be several ways to divide the links into cycles; @rng
 * picks one. */
void pl_alternate_find(struct pl_alternate *x, const struct pl_tour *a, const struct pl_tour *b,
		       bool directed, struct pl_rng *rng);

#endif

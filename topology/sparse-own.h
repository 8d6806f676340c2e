/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-own.h - what hosts add to each of their pairs, as far as pairs can
 * tell */
#ifndef PLINK_TOPOLOGY_SPARSE_OWN_H
#define PLINK_TOPOLOGY_SPARSE_OWN_H

#include <stddef.h>
#include <stdint.h>

/* A pair, less what is usual for such pairs. */
struct pl_sparse_rest {
	uint32_t host[2];
	float rest;
};

struct pl_sparse_own {
	double more; /* what the host adds */
	double sum;  /* scratch */
	size_t n;
};

/*
 * Fills host[].more for all that are in the n pairs of v, whose rests are what
 * one host adds, what the other does, and noise: each by the mean of its pairs,
 * the less so the more noise there is and the fewer they are (ridge regression;
 * the variances are found from the products of pairs that share a host). Rests
 * are clipped in place. *spread of the rests is left as it is for n = 0; *ratio
 * is the noise's variance to that of what hosts add, INFINITY where they add
 * nothing that could be told. host[] is indexed by the pairs' hosts. 0, or -1:
 * no memory.
 */
int pl_sparse_own_solve(struct pl_sparse_rest *v, size_t n,
			struct pl_sparse_own *host, double *spread,
			double *ratio);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-own.h - what each host adds to the distances of all its pairs */
#ifndef PLINK_TOPOLOGY_SPARSE_OWN_H
#define PLINK_TOPOLOGY_SPARSE_OWN_H

#include <stddef.h>
#include <stdint.h>

/* A pair; rest is its distance minus the usual distance of such pairs. */
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
 * Fills host[].more for all hosts in the n pairs of v. The rest of a pair is what one host adds,
 * plus what the other adds, plus noise. Each host's part is the mean of its pairs, shrunk towards 0
 * the more noise there is and the fewer pairs it has (ridge regression; the variances come from the
 * products of pairs that share a host). The rests in v are clipped. *spread is set to the spread of
 * the rests; it is unchanged for n = 0. *ratio is the variance of the noise divided by that of what
 * hosts add; INFINITY where hosts add nothing that can be detected. host[] is indexed by the pairs'
 * host numbers. 0, or -1: no memory.
 */
int pl_sparse_own_solve(struct pl_sparse_rest *v, size_t n, struct pl_sparse_own *host,
			double *spread, double *ratio);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* patch.h - a ring with some of its links replaced, made one ring again */
#ifndef PLINK_SOLVER_RING_PATCH_H
#define PLINK_SOLVER_RING_PATCH_H

#include "base/err.h"
#include "solver/hops.h"
#include "solver/neighbours.h"
#include "solver/ring/tour.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The tour stays as it is; what is parted and joined is kept besides, so that a
 * patch takes time by its own size. Each host has two ends, numbered 2 * pos
 * for the one to the host before it and 2 * pos + 1 for the one to the next.
 * Where costs are not symmetric only ends of different kinds are joined.
 */
struct pl_patch {
	const struct pl_hops *hops; /* these three are borrowed */
	const struct pl_neighbours *nb;
	const struct pl_tour *tour;
	uint32_t *mate; /* [2n] by end: what it is joined to, or PL_AS_IT_WAS */
	uint32_t *cut;  /* [n] sorted: the link behind that pos is parted */
	uint32_t *rank; /* [n] by pos: where in cut[] */
	size_t n_cuts;
	/* A way ends at each cut; [n_cuts] by its rank: on which ring it is */
	uint32_t *ring;
	uint32_t *size, *first; /* [n_rings]: hosts; an end on it */
	size_t n_rings;
	double gain; /* by how much it is cheaper than the tour */
};

#define PL_AS_IT_WAS UINT32_MAX

/* Room for tours of hops->n hosts. 0, or -1 with @err set: out of memory. */
int pl_patch_init(struct pl_patch *p, const struct pl_hops *hops,
		  const struct pl_neighbours *nb, struct pl_err *err);
void pl_patch_fini(struct pl_patch *p);

/*
 * Starts anew on @tour with 2 * n_links hosts, each link of the tour between
 * host[2i] and host[2i + 1] parted, and host[2i + 1] joined to the next one,
 * the last to the first. At least two links; none twice.
 */
void pl_patch_set(struct pl_patch *p, const struct pl_tour *tour,
		  const uint32_t *host, size_t n_links);

/* Joins all rings there are into one, the smallest first, each where that costs
 * least next to a neighbour of one of its hosts. False: there is no such. */
bool pl_patch_mend(struct pl_patch *p);

/* Writes the ring: host_at[n]. */
void pl_patch_get(const struct pl_patch *p, size_t *host_at);

static inline uint32_t pl_patch_host(const struct pl_patch *p, uint32_t end)
{
	return p->tour->at[end / 2];
}

#endif

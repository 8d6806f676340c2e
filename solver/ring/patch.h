/* SPDX-License-Identifier: BSD-3-Clause */
/* patch.h - replaces some links of a ring and makes the parts one ring again */
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
 * The tour itself does not change; cut and joined links are kept separately, so that a patch takes
 * time in proportion to its own size. Each host has two ends: 2 * pos leads to the host before it,
 * 2 * pos + 1 to the next one. If costs are not symmetric, only ends of different kinds are joined.
 */
struct pl_patch {
	const struct pl_hops *hops; /* these three are borrowed */
	const struct pl_neighbours *nb;
	const struct pl_tour *tour;
	uint32_t *mate; /* [2n] by end: the end joined to it, or PL_AS_IT_WAS */
	uint32_t *cut;  /* [n] sorted: positions whose link to the next is cut */
	uint32_t *rank; /* [n] by pos: index in cut[] */
	size_t n_cuts;
	/* A path ends at each cut; [n_cuts] by rank of the cut: the ring the path is on */
	uint32_t *ring;
	uint32_t *size, *first; /* [n_rings] hosts; an end on the ring */
	size_t n_rings;
	double gain; /* cost of the tour minus that of the patch */
};

#define PL_AS_IT_WAS UINT32_MAX

/* Allocates room for tours of hops->n hosts. 0, or -1 with @err set: out of memory. */
int pl_patch_init(struct pl_patch *p, const struct pl_hops *hops, const struct pl_neighbours *nb,
		  struct pl_err *err);
void pl_patch_fini(struct pl_patch *p);

/*
 * Starts a new patch of @tour with 2 * n_links hosts. The link of the tour between host[2i] and
 * host[2i + 1] is cut for each i, and host[2i + 1] is joined to the next host of the list, the last
 * one to the first. At least two links, none twice.
 */
void pl_patch_set(struct pl_patch *p, const struct pl_tour *tour, const uint32_t *host,
		  size_t n_links);

/* Joins all rings into one, the smallest first, each at the place next to a neighbour of one of its
 * hosts where that costs least. False: a ring has no such place. */
bool pl_patch_mend(struct pl_patch *p);

/* Writes the ring: host_at[n]. */
void pl_patch_get(const struct pl_patch *p, size_t *host_at);

static inline uint32_t pl_patch_host(const struct pl_patch *p, uint32_t end)
{
	return p->tour->at[end / 2];
}

#endif

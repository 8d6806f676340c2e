/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-separate.h - what all rings keep to and a fractional one does not */
#ifndef PLINK_SOLVER_RING_RING_SEPARATE_H
#define PLINK_SOLVER_RING_RING_SEPARATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_CUT_HOSTS_MAX 128
#define PL_CUT_TEETH_MAX 15

/*
 * A group of hosts, not all and not none. Without teeth: a ring leaves it at
 * least once and enters it as often. With an odd number of teeth, links between
 * it and the rest: a ring crosses an even number of times, so that it takes
 * another link as well or not all of the teeth: the links that cross, less
 * twice the teeth among them, are at least 1 - n_teeth.
 * Dantzig, Fulkerson, Johnson, Oper. Res. 2 (1954); Edmonds, J. Res. NBS 69B
 * (1965).
 */
struct pl_ring_cut {
	uint64_t in[PL_CUT_HOSTS_MAX / 64];
	uint8_t tooth[PL_CUT_TEETH_MAX][2];
	size_t n_teeth;
};

bool pl_ring_cut_has(const struct pl_ring_cut *cut, size_t host);

/* Room for a call, and what it found. */
struct pl_ring_separation {
	size_t n;
	bool teeth; /* look for cuts with teeth, too: costs are symmetric */
	double *key, *merged;       /* [n], [n * n] scratch */
	size_t *node, *group;       /* [n] scratch */
	struct pl_ring_cut *within; /* [n] scratch */
	struct pl_ring_cut *cut;    /* [room] */
	size_t n_cuts, room;
};

/* n hosts, 3 to PL_CUT_HOSTS_MAX. False, and nothing to release: memory. */
bool pl_ring_separation_init(struct pl_ring_separation *s, size_t n,
			     bool teeth);
void pl_ring_separation_fini(struct pl_ring_separation *s);

/*
 * Fills s->cut with cuts that the links link[n * n] (symmetric: both ways
 * together, those of each host adding up to 2) do not keep to; none of them
 * only where every group is left (but for a small tolerance).
 * Groups by Stoer and Wagner, J. ACM 44 (1997).
 */
void pl_ring_separate(struct pl_ring_separation *s, const double *link);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-separate.h - cuts: constraints of all rings that a fractional solution violates */
#ifndef PLINK_SOLVER_RING_RING_SEPARATE_H
#define PLINK_SOLVER_RING_RING_SEPARATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_CUT_HOSTS_MAX 128
#define PL_CUT_TEETH_MAX 15

/*
 * A cut is a group of hosts, not all and not none. Without teeth: a ring leaves
 * the group at least once and enters it as often. With an odd number of teeth,
 * which are links between the group and the rest: a ring crosses the border an
 * even number of times, so that it either crosses by another link as well or
 * does not use all teeth. In formula: crossing links, minus twice the teeth
 * among them, are at least 1 - n_teeth.
 * Dantzig, Fulkerson, Johnson, Oper. Res. 2 (1954); Edmonds, J. Res. NBS 69B
 * (1965).
 */
struct pl_ring_cut {
	uint64_t in[PL_CUT_HOSTS_MAX / 64];
	uint8_t tooth[PL_CUT_TEETH_MAX][2];
	size_t n_teeth;
};

bool pl_ring_cut_has(const struct pl_ring_cut *cut, size_t host);

/* Room for a call, and the cuts it found. */
struct pl_ring_separation {
	size_t n;
	bool teeth;                 /* look for cuts with teeth as well: costs are symmetric */
	double *key, *merged;       /* [n], [n * n] scratch */
	size_t *node, *group;       /* [n] scratch */
	struct pl_ring_cut *within; /* [n] scratch */
	struct pl_ring_cut *cut;    /* [room] */
	size_t n_cuts, room;
};

/* n hosts, 3 to PL_CUT_HOSTS_MAX. False: out of memory, nothing to release. */
bool pl_ring_separation_init(struct pl_ring_separation *s, size_t n, bool teeth);
void pl_ring_separation_fini(struct pl_ring_separation *s);

/*
 * Fills s->cut with cuts that the links link[n * n] violate. link[] is
 * symmetric, the sum of both directions; the links of each host add up to 2. No
 * cut is found only if every group is left often enough, within a small
 * tolerance.
 * Groups by Stoer and Wagner, J. ACM 44 (1997).
 */
void pl_ring_separate(struct pl_ring_separation *s, const double *link);

#endif

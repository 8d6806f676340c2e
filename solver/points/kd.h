/* SPDX-License-Identifier: BSD-3-Clause */
/* kd.h - a k-d tree: which points are near which */
#ifndef PLINK_SOLVER_POINTS_KD_H
#define PLINK_SOLVER_POINTS_KD_H

#include "base/err.h"
#include "solver/points/points.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct pl_box {
	double x[2], y[2]; /* least, greatest */
};

/* The distance to the nearest point of the box. Rounding cannot make it larger
 * than the distance to any point in the box: distances are monotonic in each of
 * their terms. */
static inline double pl_box_distance(const struct pl_box *b, double x, double y)
{
	const double dx = fmax(fmax(b->x[0] - x, x - b->x[1]), 0);
	const double dy = fmax(fmax(b->y[0] - y, y - b->y[1]), 0);

	return sqrt(dx * dx + dy * dy);
}

/* A k-d tree (Bentley, CACM 18 (1975)). Node 1 has all points; node k has those
 * of 2k and 2k + 1, which halve its points along the longer side of its box.
 * The nodes from first_leaf on have a few points each. */
struct pl_kd {
	struct pl_points p;
	uint32_t *host;     /* [n], leaf by leaf */
	struct pl_box *box; /* [n_nodes]; [0] is not used */
	size_t n_nodes, first_leaf;
};

/* The part of host[] that belongs to a node. */
struct pl_kd_node {
	size_t number, from, to;
};

static inline struct pl_kd_node pl_kd_root(const struct pl_kd *kd)
{
	return (struct pl_kd_node){1, 0, kd->p.n};
}

/* A child of a node that is not a leaf; @which: 0 or 1. */
static inline struct pl_kd_node pl_kd_child(struct pl_kd_node node, int which)
{
	const size_t middle = node.from + (node.to - node.from) / 2;

	return (struct pl_kd_node){2 * node.number + (size_t)which,
				   which ? middle : node.from,
				   which ? node.to : middle};
}

/* 0, or -1 with @err set and nothing to release: out of memory, or a point that
 * is not finite or is out of range (PL_EINPUT). */
int pl_kd_init(struct pl_kd *kd, const struct pl_points *p, struct pl_err *err);
void pl_kd_fini(struct pl_kd *kd);

/* A host's neighbour. */
struct pl_near {
	double distance;
	uint32_t host;
};

/* Writes the @k hosts nearest to @host, without @host itself, the nearest
 * first, equal ones by number; fewer if there are fewer. Returns their
 * number. */
size_t pl_kd_nearest(const struct pl_kd *kd, size_t host, size_t k,
		     struct pl_near *out);

/* Writes the @k nearest hosts in each of the four quadrants around @host. If
 * points lie in clusters, the nearest hosts of all would be from the same
 * cluster. out[4 * k]; returns their number. */
size_t pl_kd_around(const struct pl_kd *kd, size_t host, size_t k,
		    struct pl_near *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* known.h - the measured cells of a matrix, stored sparsely */
#ifndef PLINK_TOPOLOGY_KNOWN_H
#define PLINK_TOPOLOGY_KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* A host b as seen from another host a, with the cells between them. */
struct pl_known_pair {
	uint32_t to;
	double there, back; /* a to b, b to a; NaN: not measured */
};

/* Start with {0}, end with fini. Each measured pair of hosts is stored twice, once under each host,
 * in 24 bytes each time. */
struct pl_known {
	size_t n;
	size_t *begin; /* [n + 1]; the entries of host a are pair[begin[a]] to
			* pair[begin[a + 1] - 1], by rising host number */
	struct pl_known_pair *pair;
};

/* A measured cell: not NaN, not on the diagonal. */
struct pl_known_cell {
	uint32_t src, dst;
	double value;
};

/* Fills @l from cell[n * n], NaN where missing, or from @n_cells cells, no two of them the same
 * cell. 0, or -1: no memory. */
int pl_known_of(struct pl_known *l, const double *cell, size_t n);
int pl_known_make(struct pl_known *l, size_t n, const struct pl_known_cell *v, size_t n_cells);
void pl_known_fini(struct pl_known *l);

/* The entry of host b under host a. The pair must be there. */
struct pl_known_pair *pl_known_find(const struct pl_known *l, size_t a, size_t b);

#endif

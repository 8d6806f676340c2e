/* SPDX-License-Identifier: BSD-3-Clause */
/* known.h - what was measured between hosts, by the cells that are there */
#ifndef PLINK_TOPOLOGY_KNOWN_H
#define PLINK_TOPOLOGY_KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* A host that another one was measured against. */
struct pl_known_pair {
	uint32_t to;
	double there, back; /* both directions; NaN: not measured */
};

/* Start with {0}, end with fini. A pair is there twice, once by each of its
 * hosts. Takes 24 bytes of each. */
struct pl_known {
	size_t n;
	size_t *begin; /* [n + 1]; those of host a begin at pair[begin[a]], and
			* end before pair[begin[a + 1]], by rising host */
	struct pl_known_pair *pair;
};

/* A cell that is there: not NaN, not on the diagonal. */
struct pl_known_cell {
	uint32_t src, dst;
	double value;
};

/* Of cell[n * n], NaN where missing; of @n_cells cells, each once. 0, or -1: no
 * memory. */
int pl_known_of(struct pl_known *l, const double *cell, size_t n);
int pl_known_make(struct pl_known *l, size_t n, const struct pl_known_cell *v,
		  size_t n_cells);
void pl_known_fini(struct pl_known *l);

/* Where a has b. Both are linked. */
struct pl_known_pair *pl_known_find(const struct pl_known *l, size_t a,
				    size_t b);

#endif

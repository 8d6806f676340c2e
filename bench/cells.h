/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - for benches: problems of ordering hosts, drawn by number */
#ifndef PLINK_BENCH_CELLS_H
#define PLINK_BENCH_CELLS_H

#include "base/err.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The algorithms that cells are of: one of the catalogue, or a ring, or what
 * Open MPI runs by itself at 2k, 64k, 1M and 8M. */
size_t cells_algorithms(void);
const char *cells_algorithm(size_t i);

/* @i's shape over @n hosts, of 1 MiB. @costs are needed for the mixture, whose
 * sizes count by what they cost in the order 0, 1, ...: 0, or -1 with @err
 * set. */
int cells_shape(size_t i, const struct pl_costs *costs, struct pl_shape *shape, struct pl_err *err);

/* Start with {0}, end with fini. */
struct cell {
	const char *algorithm, *network;
	bool directed, rates;
	struct pl_costs costs; /* owned */
	struct pl_shape shape;
};

/* Cell @number of @seed: 2 to 64 hosts in racks, equal or not, with and without
 * noise, at random or in a plane; half of them with costs that differ by
 * direction, half with rates of cards. 0, or -1 with @err set. */
int cell_draw(struct cell *cell, uint64_t seed, uint64_t number, struct pl_err *err);
void cell_fini(struct cell *cell);

#endif

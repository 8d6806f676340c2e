/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-rows.h - parts of ring-master.h: rows of links, prices of rows */
#ifndef PLINK_SOLVER_RING_RING_ROWS_H
#define PLINK_SOLVER_RING_RING_ROWS_H

#include "solver/ring/ring-master.h"

/* Is there a link of that name: each once where both ways are alike. */
bool pl_master_is_link(const struct pl_ring_master *m, size_t a, size_t b);

/* The rows (from 0 on) of the hosts of a link, and how many links they want. */
size_t pl_master_row_from(size_t a);
size_t pl_master_row_to(const struct pl_ring_master *m, size_t b);
int pl_master_links(const struct pl_ring_master *m);

/* What a link counts in a cut's row, and the least that the row has to be. */
int pl_master_weight(const struct pl_ring_master *m,
		     const struct pl_ring_cut *cut, size_t a, size_t b);
int pl_master_least(const struct pl_ring_master *m,
		    const struct pl_ring_cut *cut);

/* A column for a link. 0, or -1 with @err set: memory. */
int pl_master_add_link(struct pl_ring_master *m, size_t a, size_t b,
		       struct pl_err *err);

/* Prices of the last solution, what is left of the costs by them, and the bound
 * that they prove: m->price, m->left, m->last, m->bound. */
void pl_master_prove(struct pl_ring_master *m);

/* Columns for links that are cheaper than their prices; *any: were there some?
 * 0, or -1 with @err set: memory. */
int pl_master_add_cheaper(struct pl_ring_master *m, bool *any,
			  struct pl_err *err);

#endif

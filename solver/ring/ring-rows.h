/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-rows.h - parts of ring-master.h: rows of links, prices of rows */
#ifndef PLINK_SOLVER_RING_RING_ROWS_H
#define PLINK_SOLVER_RING_RING_ROWS_H

#include "solver/ring/ring-master.h"

/* Rows count from 0 on. A link's row at the host that it leads from is that host's number; this is
 * its row at the other. Then the number of links that each row needs. */
size_t pl_master_row_to(const struct pl_ring_master *m, size_t b);
int pl_master_links(const struct pl_ring_master *m);

/* The coefficient of a link in the row of a cut, and the least value of that row. */
int pl_master_weight(const struct pl_ring_master *m, const struct pl_ring_cut *cut, size_t a,
		     size_t b);
int pl_master_least(const struct pl_ring_master *m, const struct pl_ring_cut *cut);

/* Adds a column for a link. 0, or -1 with @err set: out of memory. */
int pl_master_add_link(struct pl_ring_master *m, size_t a, size_t b, struct pl_err *err);

/* Computes the prices of the last solution, the costs minus these prices, and the bound they prove:
 * m->price, m->left, m->last, m->bound. */
void pl_master_prove(struct pl_ring_master *m);

/* Adds columns for links that cost less than their prices; *any: there were some. 0, or -1 with
 * @err set: out of memory. */
int pl_master_add_cheaper(struct pl_ring_master *m, bool *any, struct pl_err *err);

#endif

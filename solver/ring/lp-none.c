/* SPDX-License-Identifier: BSD-3-Clause */
/* lp-none.c - stands in for linear programs if there is no GLPK */
#include "config.h"

#include "solver/ring/lp.h"

#include <assert.h>

bool pl_lp_built(void)
{
	return false;
}

struct pl_lp *pl_lp_create(struct pl_err *err)
{
	pl_err_set(err, PL_EUSAGE, "not built with GLPK");
	return NULL;
}

void pl_lp_destroy(struct pl_lp *lp)
{
	assert(!lp);
	(void)lp;
}

int pl_lp_add_row(struct pl_lp *lp, const struct pl_lp_entries *cols, double least, bool equal,
		  struct pl_err *err)
{
	(void)lp, (void)cols, (void)least, (void)equal;
	return pl_err_set(err, PL_EUSAGE, "not built with GLPK");
}

int pl_lp_add_col(struct pl_lp *lp, const struct pl_lp_entries *rows, double cost, double most,
		  struct pl_err *err)
{
	(void)lp, (void)rows, (void)cost, (void)most;
	return pl_err_set(err, PL_EUSAGE, "not built with GLPK");
}

void pl_lp_limit(struct pl_lp *lp, int col, double least, double most)
{
	(void)lp, (void)col, (void)least, (void)most;
}

void pl_lp_drop_rows(struct pl_lp *lp, const int *rows, size_t n)
{
	(void)lp, (void)rows, (void)n;
}

int pl_lp_solve(struct pl_lp *lp, const struct pl_stop *stop, uint64_t iterations_max,
		enum pl_lp_end *end, struct pl_err *err)
{
	(void)lp, (void)stop, (void)iterations_max, (void)end;
	return pl_err_set(err, PL_EUSAGE, "not built with GLPK");
}

uint64_t pl_lp_iterations(const struct pl_lp *lp)
{
	(void)lp;
	return 0;
}

double pl_lp_value(const struct pl_lp *lp, int col)
{
	(void)lp, (void)col;
	return 0;
}

double pl_lp_price(const struct pl_lp *lp, int row)
{
	(void)lp, (void)row;
	return 0;
}

bool pl_lp_row_loose(const struct pl_lp *lp, int row)
{
	(void)lp, (void)row;
	return false;
}

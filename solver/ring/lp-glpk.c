/* SPDX-License-Identifier: BSD-3-Clause */
/* lp-glpk.c - a linear program that grows, by GLPK */
#include "config.h"

#include "solver/ring/lp.h"

#include "base/mem.h"

#include <glpk.h>
#include <setjmp.h>
#include <stdlib.h>

/* Looks at the stop after so many iterations: a few milliseconds. */
#define CHUNK 500

struct pl_lp {
	glp_prob *p;
	glp_smcp simplex;
	bool new_cols; /* since the last solution: it is no dual one any more */
	jmp_buf failed;
};

bool pl_lp_built(void)
{
	return true;
}

static int say_nothing(void *info, const char *text)
{
	(void)info;
	(void)text;
	return 1;
}

static void leave(void *info)
{
	struct pl_lp *lp = info;

	longjmp(lp->failed, 1);
}

/* GLPK aborts the program if memory runs out, unless its hook does not return. What it had is
 * released then, and it is not used again. */
static int give_up(struct pl_lp *lp, struct pl_err *err)
{
	glp_error_hook(NULL, NULL);
	glp_free_env();
	lp->p = NULL;
	return pl_err_set(err, PL_ESYSTEM, "GLPK failed: out of memory?");
}

struct pl_lp *pl_lp_create(struct pl_err *err)
{
	struct pl_lp *lp = pl_array_create(1, sizeof(*lp));

	if (!lp) {
		pl_err_nomem(err);
		return NULL;
	}
	if (setjmp(lp->failed)) {
		give_up(lp, err);
		free(lp);
		return NULL;
	}
	glp_term_hook(say_nothing, NULL);
	glp_error_hook(leave, lp);
	lp->p = glp_create_prob();
	glp_set_obj_dir(lp->p, GLP_MIN);
	glp_init_smcp(&lp->simplex);
	glp_error_hook(NULL, NULL);
	lp->simplex.msg_lev = GLP_MSG_OFF;
	lp->simplex.tol_bnd = 1e-9;
	lp->simplex.tol_dj = 1e-12;
	return lp;
}

void pl_lp_destroy(struct pl_lp *lp)
{
	if (lp && lp->p) {
		glp_delete_prob(lp->p);
		glp_free_env();
	}
	free(lp);
}

int pl_lp_add_row(struct pl_lp *lp, const struct pl_lp_entries *cols, double least, bool equal,
		  struct pl_err *err)
{
	int row;

	if (setjmp(lp->failed))
		return give_up(lp, err);
	glp_error_hook(leave, lp);
	row = glp_add_rows(lp->p, 1);
	glp_set_row_bnds(lp->p, row, equal ? GLP_FX : GLP_LO, least, least);
	glp_set_mat_row(lp->p, row, (int)cols->n, cols->at, cols->value);
	glp_error_hook(NULL, NULL);
	return row;
}

int pl_lp_add_col(struct pl_lp *lp, const struct pl_lp_entries *rows, double cost, double most,
		  struct pl_err *err)
{
	int col;

	if (setjmp(lp->failed))
		return give_up(lp, err);
	glp_error_hook(leave, lp);
	col = glp_add_cols(lp->p, 1);
	glp_set_obj_coef(lp->p, col, cost);
	glp_set_mat_col(lp->p, col, (int)rows->n, rows->at, rows->value);
	glp_error_hook(NULL, NULL);
	pl_lp_limit(lp, col, 0, most);
	lp->new_cols = true;
	return col;
}

void pl_lp_limit(struct pl_lp *lp, int col, double least, double most)
{
	glp_set_col_bnds(lp->p, col, least < most ? GLP_DB : GLP_FX, least, most);
}

void pl_lp_drop_rows(struct pl_lp *lp, const int *rows, size_t n)
{
	if (n > 0)
		glp_del_rows(lp->p, (int)n, rows);
}

/* Solves again from scratch if the basis was of no use. */
static int begin_anew(struct pl_lp *lp)
{
	glp_std_basis(lp->p);
	lp->simplex.meth = GLP_PRIMAL;
	return glp_simplex(lp->p, &lp->simplex);
}

static enum pl_lp_end run(struct pl_lp *lp, const struct pl_stop *stop, uint64_t iterations_max)
{
	const uint64_t end = pl_lp_iterations(lp) + iterations_max;
	bool anew = false;
	int rc;

	lp->simplex.it_lim = CHUNK;
	lp->simplex.meth = lp->new_cols ? GLP_PRIMAL : GLP_DUALP;
	lp->new_cols = false;
	for (;;) {
		rc = glp_simplex(lp->p, &lp->simplex);
		if (rc != 0 && rc != GLP_EITLIM && !anew) {
			anew = true;
			rc = begin_anew(lp);
		}
		if (rc != GLP_EITLIM)
			break;
		if (pl_stop_now(stop) || pl_lp_iterations(lp) >= end)
			return PL_LP_STOPPED;
	}
	return rc == 0 && glp_get_status(lp->p) == GLP_OPT ? PL_LP_SOLVED : PL_LP_FAILED;
}

int pl_lp_solve(struct pl_lp *lp, const struct pl_stop *stop, uint64_t iterations_max,
		enum pl_lp_end *end, struct pl_err *err)
{
	if (setjmp(lp->failed))
		return give_up(lp, err);
	glp_error_hook(leave, lp);
	*end = run(lp, stop, iterations_max);
	glp_error_hook(NULL, NULL);
	return 0;
}

uint64_t pl_lp_iterations(const struct pl_lp *lp)
{
	return (uint64_t)glp_get_it_cnt(lp->p);
}

double pl_lp_value(const struct pl_lp *lp, int col)
{
	return glp_get_col_prim(lp->p, col);
}

double pl_lp_price(const struct pl_lp *lp, int row)
{
	return glp_get_row_dual(lp->p, row);
}

bool pl_lp_row_loose(const struct pl_lp *lp, int row)
{
	return glp_get_row_stat(lp->p, row) == GLP_BS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* program-glpk.c - the fewest ranks, or the cheapest machines, by GLPK */
#include "config.h"

#include "planner/srift/search/program.h"

#include "base/clock.h"
#include "base/mem.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#define TAKEN_OFF 1e-6
#define PAIRS_MAX ((size_t)PL_MARKET_TYPES_MAX * PL_MARKET_BATCHES_MAX)
#define ROW_MAX (PAIRS_MAX + 1)

/* The programme while it is put together and solved. */
struct work {
	const struct pl_integer_program *program;
	struct pl_program_answer *answer;
	glp_prob *p;
	int samples, ranks, price; /* rows */
	double unit;               /* samples are counted in these: of all that
				    * divides them */
	int count[PL_MARKET_TYPES_MAX][PL_MARKET_BATCHES_MAX]; /* columns */
	int at[ROW_MAX + 1];
	double value[ROW_MAX + 1];
	uint64_t nodes;
	bool stopped;
	jmp_buf failed;
};

bool pl_program_built(void)
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
	struct work *w = info;

	longjmp(w->failed, 1);
}

static int add_row(struct work *w, int type, double least, double most)
{
	const int row = glp_add_rows(w->p, 1);

	glp_set_row_bnds(w->p, row, type, least, most);
	return row;
}

static int add_col(struct work *w, int kind, double most, int n)
{
	const int col = glp_add_cols(w->p, 1);

	glp_set_col_kind(w->p, col, kind);
	glp_set_col_bnds(w->p, col, GLP_DB, 0, most);
	glp_set_mat_col(w->p, col, n, w->at, w->value);
	return col;
}

static void entry(struct work *w, int k, int row, double value)
{
	w->at[k] = row;
	w->value[k] = value;
}

static double power_of_two_in(uint64_t x)
{
	return (double)(x & -x);
}

/* Machines of the pair, and whether there are any. */
static void add_pair(struct work *w, size_t i, size_t k, int machines, int one_batch)
{
	const struct pl_market_type *type = &w->program->within->market->type[i];
	const double ranks = (double)type->instance->ranks;
	const double batch = (double)type->batch[k];
	double most = (double)w->program->within->most[i][k];
	int link;

	most = fmin(most, floor((double)w->program->samples / batch));
	if (most < 1)
		return;
	link = add_row(w, GLP_UP, 0, 0);
	entry(w, 1, w->samples, batch / w->unit);
	entry(w, 2, w->ranks, ranks);
	entry(w, 3, machines, 1);
	entry(w, 4, link, 1);
	w->count[i][k] = add_col(w, GLP_IV, most, 4);
	if (!w->program->by_price)
		glp_set_obj_coef(w->p, w->count[i][k], ranks);
	entry(w, 1, one_batch, 1);
	entry(w, 2, link, -most);
	add_col(w, GLP_BV, 1, 2);
}

static void add_type(struct work *w, size_t i)
{
	const struct pl_market_type *type = &w->program->within->market->type[i];
	const int machines = add_row(w, GLP_FX, 0, 0);
	const int one_batch = add_row(w, GLP_UP, 0, 1);

	for (size_t k = 0; k < type->n_batches; k++)
		add_pair(w, i, k, machines, one_batch);
	for (size_t k = 0; k < type->n_stocks; k++) {
		const struct pl_market_stock *stock = &type->stock[k];
		int col;

		/* GLPK takes no bounds from 0 to 0 */
		if (stock->available == 0)
			continue;
		entry(w, 1, machines, -1);
		entry(w, 2, w->price, stock->price_per_hour);
		col = add_col(w, GLP_CV, (double)stock->available, 2);
		if (w->program->by_price)
			glp_set_obj_coef(w->p, col, stock->price_per_hour);
	}
}

static void build(struct work *w)
{
	const struct pl_integer_program *program = w->program;
	const struct pl_market *m = program->within->market;

	w->unit = power_of_two_in(program->samples);
	for (size_t i = 0; i < m->n_types; i++)
		w->unit = fmin(w->unit, power_of_two_in(m->type[i].batch[0]));
	w->samples = add_row(w, GLP_FX, (double)program->samples / w->unit,
			     (double)program->samples / w->unit);
	w->ranks = add_row(w, GLP_UP, 0, program->ranks_max);
	w->price = add_row(w, program->per_hour_max < INFINITY ? GLP_UP : GLP_FR, 0,
			   program->per_hour_max);
	for (size_t i = 0; i < m->n_types; i++)
		add_type(w, i);
}

static bool late(const struct work *w)
{
	if (w->program->deadline_ns == INT64_MAX)
		return false;
	return pl_clock_ns() >= w->program->deadline_ns;
}

/* GLPK asks at every step of its branch and bound. */
static void look(glp_tree *tree, void *info)
{
	struct work *w = info;
	int best;

	if (glp_ios_reason(tree) != GLP_ISELECT)
		return;
	best = glp_ios_best_node(tree);
	if (best)
		w->answer->bound = glp_ios_node_bound(tree, best);
	if (++w->nodes <= w->program->nodes_max && !late(w))
		return;
	w->stopped = true;
	glp_ios_terminate(tree);
}

/* The choice that GLPK's numbers stand for, if it is valid. */
static bool take_choice(const struct work *w, struct pl_srift_choice *choice)
{
	const struct pl_market *m = w->program->within->market;
	uint64_t sum = 0;

	*choice = (struct pl_srift_choice){.count = {0}};
	for (size_t i = 0; i < m->n_types; i++)
		for (size_t k = 0; k < m->type[i].n_batches; k++) {
			const int col = w->count[i][k];
			const double n = col ? round(glp_mip_col_val(w->p, col)) : 0;

			if (n < 1)
				continue;
			if (choice->count[i] || n > (double)w->program->within->most[i][k])
				return false;
			choice->count[i] = (uint32_t)n;
			choice->batch[i] = (uint8_t)k;
			sum += (uint64_t)n * m->type[i].batch[k];
		}
	return sum == w->program->samples;
}

static void branch(struct work *w)
{
	struct pl_program_answer *a = w->answer;
	glp_iocp o;
	int rc, status;

	glp_init_iocp(&o);
	o.msg_lev = GLP_MSG_OFF;
	o.cb_func = look;
	o.cb_info = w;
	rc = glp_intopt(w->p, &o);
	status = glp_mip_status(w->p);
	if (rc == 0 && status == GLP_OPT)
		a->bound = glp_mip_obj_val(w->p);
	else if (rc == 0 && status == GLP_NOFEAS)
		a->bound = INFINITY;
	if (status == GLP_OPT || status == GLP_FEAS)
		a->found = take_choice(w, &a->choice);
}

static void solve(struct work *w)
{
	glp_smcp o;

	glp_init_smcp(&o);
	o.msg_lev = GLP_MSG_OFF;
	if (glp_simplex(w->p, &o) != 0)
		return;
	if (glp_get_status(w->p) == GLP_NOFEAS) {
		w->answer->bound = INFINITY;
	} else if (glp_get_status(w->p) == GLP_OPT) {
		w->answer->bound = glp_get_obj_val(w->p);
		branch(w);
	}
	w->answer->iterations = (uint64_t)glp_get_it_cnt(w->p);
}

int pl_program_solve(struct pl_program_answer *answer, const struct pl_integer_program *program,
		     struct pl_err *err)
{
	struct work *w = pl_array_create(1, sizeof(*w));

	*answer = (struct pl_program_answer){.found = false};
	if (!w)
		return pl_err_nomem(err);
	w->program = program;
	w->answer = answer;
	/* GLPK aborts where memory runs out, unless its hook does not return */
	if (setjmp(w->failed)) {
		glp_error_hook(NULL, NULL);
		glp_free_env();
		free(w);
		return pl_err_set(err, PL_ESYSTEM, "GLPK failed: out of memory?");
	}
	glp_term_hook(say_nothing, NULL);
	glp_error_hook(leave, w);
	w->p = glp_create_prob();
	glp_set_obj_dir(w->p, GLP_MIN);
	build(w);
	solve(w);
	answer->bound -= fabs(answer->bound) < INFINITY ? TAKEN_OFF * (1 + answer->bound) : 0;
	glp_delete_prob(w->p);
	glp_error_hook(NULL, NULL);
	glp_free_env();
	free(w);
	return 0;
}

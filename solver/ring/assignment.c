/* SPDX-License-Identifier: BSD-3-Clause */
/* assignment.c - the cheapest way to give every host a successor */
#include "config.h"

#include "solver/ring/ring-bound.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Rows looked at for cheap reassignments before paths are searched, for each host: rounding could
 * make them go on for ever. */
#define CHEAP_ROWS 8

#define NONE SIZE_MAX

/* Rows are sources, columns destinations. */
struct matching {
	const double *c;
	size_t n;
	double *in;          /* price of a column */
	size_t *row_of;      /* [n] by column; NONE: free */
	size_t *column_of;   /* [n] by row; NONE: free */
	double *far;         /* [n] by column: the cost of the cheapest path */
	size_t *from;        /* [n] by column: the row that it comes from */
	size_t *todo, *done; /* [n] columns not reached yet; reached, in order */
	size_t *free_row;    /* [n] */
	size_t n_free;
};

/* The cost of a hop above the price of its end. */
static double rest(const struct matching *m, size_t row, size_t column)
{
	return m->c[row * m->n + column] - m->in[column];
}

static void match(struct matching *m, size_t row, size_t column)
{
	m->row_of[column] = row;
	m->column_of[row] = column;
}

/* Every column at its cheapest cell, which takes it where the row is free. */
static void price_columns(struct matching *m)
{
	for (size_t j = 0; j < m->n; j++) {
		m->in[j] = INFINITY;
		m->row_of[j] = m->column_of[j] = NONE;
	}
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++)
			if (i != j && m->c[i * m->n + j] < m->in[j]) {
				m->in[j] = m->c[i * m->n + j];
				m->from[j] = i;
			}
	for (size_t j = m->n; j-- > 0;)
		if (m->column_of[m->from[j]] == NONE)
			match(m, m->from[j], j);
}

/* The two columns that are cheapest for a row; the second may be NONE. */
struct choice {
	size_t first, second;
	double first_rest, second_rest;
};

static struct choice choose(const struct matching *m, size_t row)
{
	struct choice best = {NONE, NONE, INFINITY, INFINITY};

	for (size_t j = 0; j < m->n; j++) {
		const double x = j == row ? INFINITY : rest(m, row, j);

		if (x >= best.second_rest)
			continue;
		best.second = j;
		best.second_rest = x;
		if (x < best.first_rest) {
			best.second = best.first;
			best.second_rest = best.first_rest;
			best.first = j;
			best.first_rest = x;
		}
	}
	return best;
}

/*
 * Augmenting row reduction of Jonker and Volgenant: a free row takes its cheapest column, whose
 * price falls until the row's second cheapest is as good. The row that had this column is free
 * again; it chooses next if the price fell, otherwise in the next pass.
 */
static void reassign(struct matching *m)
{
	const size_t n_rows = m->n_free;
	size_t left = CHEAP_ROWS * m->n, next = 0, n_later = 0;

	while (next < n_rows && left-- > 0) {
		const size_t row = m->free_row[next++];
		const struct choice best = choose(m, row);
		size_t column = best.first, loser;

		if (best.first_rest < best.second_rest && best.second != NONE)
			m->in[column] -= best.second_rest - best.first_rest;
		else if (m->row_of[column] != NONE && best.second != NONE)
			column = best.second;
		loser = m->row_of[column];
		match(m, row, column);
		if (loser == NONE)
			continue;
		m->column_of[loser] = NONE;
		if (best.first_rest < best.second_rest)
			m->free_row[--next] = loser;
		else
			m->free_row[n_later++] = loser;
	}
	while (next < n_rows)
		m->free_row[n_later++] = m->free_row[next++];
	m->n_free = n_later;
}

/* Moves the columns nearest of todo[] into done[]; gives how many are left. */
static size_t take_nearest(struct matching *m, size_t n_todo, size_t *n_done)
{
	double least = INFINITY;
	size_t kept = 0;

	for (size_t k = 0; k < n_todo; k++)
		least = fmin(least, m->far[m->todo[k]]);
	for (size_t k = 0; k < n_todo; k++) {
		const size_t j = m->todo[k];

		if (m->far[j] == least)
			m->done[(*n_done)++] = j;
		else
			m->todo[kept++] = j;
	}
	return kept;
}

/* A path that ends at @column goes on by the row that has it; rows are dealt with in the order of
 * their costs. */
static void go_on(struct matching *m, size_t column, size_t n_todo)
{
	const size_t row = m->row_of[column];
	const double so_far = m->far[column] - rest(m, row, column);

	for (size_t k = 0; k < n_todo; k++) {
		const size_t j = m->todo[k];
		double x;

		if (j == row)
			continue;
		x = so_far + rest(m, row, j);
		if (x < m->far[j]) {
			/* rounding must not make it nearer than its end */
			m->far[j] = fmax(x, m->far[column]);
			m->from[j] = row;
		}
	}
}

/* The free column that is nearest to a free row, prices put right for it. */
static size_t find_path(struct matching *m, size_t row)
{
	size_t n_todo = m->n, n_done = 0, at = 0;

	for (size_t j = 0; j < m->n; j++) {
		m->todo[j] = j;
		m->from[j] = row;
		m->far[j] = j == row ? INFINITY : rest(m, row, j);
	}
	for (;;) {
		size_t column;

		if (at == n_done)
			n_todo = take_nearest(m, n_todo, &n_done);
		column = m->done[at];
		for (size_t k = at; k < n_done; k++)
			if (m->row_of[m->done[k]] == NONE)
				column = m->done[k];
		if (m->row_of[column] == NONE) {
			for (size_t k = 0; k < at; k++)
				m->in[m->done[k]] += m->far[m->done[k]] - m->far[column];
			return column;
		}
		at++;
		go_on(m, column, n_todo);
	}
}

static void augment(struct matching *m, size_t row)
{
	size_t column = find_path(m, row), i;

	do {
		size_t next;

		i = m->from[column];
		next = m->column_of[i];
		match(m, i, column);
		column = next;
	} while (i != row);
}

static void solve(struct matching *m, const struct pl_stop *stop)
{
	price_columns(m);
	for (size_t i = 0; i < m->n; i++)
		if (m->column_of[i] == NONE)
			m->free_row[m->n_free++] = i;
	for (int round = 0; round < 2 && !pl_stop_now(stop); round++)
		reassign(m);
	for (size_t k = 0; k < m->n_free && !pl_stop_now(stop); k++)
		augment(m, m->free_row[k]);
}

static void price_rows(const struct matching *m, double *out)
{
	for (size_t i = 0; i < m->n; i++) {
		out[i] = INFINITY;
		for (size_t j = 0; j < m->n; j++)
			if (j != i)
				out[i] = fmin(out[i], rest(m, i, j));
	}
}

static void matching_fini(struct matching *m)
{
	free(m->row_of);
	free(m->column_of);
	free(m->far);
	free(m->from);
	free(m->todo);
	free(m->done);
	free(m->free_row);
}

int pl_assignment(const double *c, size_t n, const struct pl_stop *stop, double *out, double *in,
		  struct pl_err *err)
{
	struct matching m = {
		.c = c,
		.n = n,
		.in = in,
		.row_of = pl_array_create(n, sizeof(*m.row_of)),
		.column_of = pl_array_create(n, sizeof(*m.column_of)),
		.far = pl_array_create(n, sizeof(*m.far)),
		.from = pl_array_create(n, sizeof(*m.from)),
		.todo = pl_array_create(n, sizeof(*m.todo)),
		.done = pl_array_create(n, sizeof(*m.done)),
		.free_row = pl_array_create(n, sizeof(*m.free_row)),
	};
	const bool enough =
		m.row_of && m.column_of && m.far && m.from && m.todo && m.done && m.free_row;

	if (enough) {
		solve(&m, stop);
		price_rows(&m, out);
	}
	matching_fini(&m);
	return enough ? 0 : pl_err_nomem(err);
}

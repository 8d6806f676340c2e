/* SPDX-License-Identifier: BSD-3-Clause */
/* grid-models.c - plainer ways to tell bandwidths from a grid, to compare
 * with */
#include "config.h"

#include "bench/grid-models.h"

#include "planner/srift/comm/comm.h"

#include <math.h>

/* 2 (n - 1) and 2 (n - 1) s / n: what alpha and beta are multiplied by. */
static void steps(const struct pl_grid_row *row, double *a, double *b)
{
	*a = 2 * (double)(row->ranks - 1);
	*b = pl_bus_bytes((double)row->bytes, row->ranks);
}

double grid_line(const struct pl_grid *g, const struct pl_grid_row *asked)
{
	double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, a, b, alpha, beta;

	for (size_t i = 0; i < g->n_rows; i++) {
		const struct pl_grid_row *row = &g->row[i];
		double t;

		if (row->machine != asked->machine || row->async != asked->async)
			continue;
		steps(row, &a, &b);
		t = b / row->bytes_per_s;
		aa += a / t * a / t;
		ab += a / t * b / t;
		bb += b / t * b / t;
		ay += a / t;
		by += b / t;
	}
	alpha = (ay * bb - by * ab) / (aa * bb - ab * ab);
	beta = (by * aa - ay * ab) / (aa * bb - ab * ab);
	steps(asked, &a, &b);
	return b / (alpha * a + beta * b);
}

static double square(double x)
{
	return x * x;
}

double grid_nearest(const struct pl_grid *g, const struct pl_grid_row *asked)
{
	double least = INFINITY, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < g->n_rows; i++) {
		const struct pl_grid_row *row = &g->row[i];
		double d;

		if (row->machine != asked->machine)
			continue;
		d = square(log2((double)row->bytes / (double)asked->bytes)) +
		    square(log2((double)row->ranks / (double)asked->ranks)) +
		    square(log2((double)row->async / (double)asked->async));
		if (d > least)
			continue;
		if (d < least) {
			least = d;
			sum = 0;
			n = 0;
		}
		sum += log(row->bytes_per_s);
		n++;
	}
	return exp(sum / (double)n);
}

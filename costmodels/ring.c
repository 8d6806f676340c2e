/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - what a ring costs, and costs that are the same both ways */
#include "config.h"

#include "costmodels/ring.h"

/* Rows and columns compared at once stay in the cache. */
#define TILE 64

double pl_cost_ring(const double *c, size_t n, const size_t *host_at, size_t n_pos)
{
	double sum = 0;

	if (n_pos < 2)
		return 0;
	for (size_t k = 0; k + 1 < n_pos; k++)
		sum += c[host_at[k] * n + host_at[k + 1]];
	return sum + c[host_at[n_pos - 1] * n + host_at[0]];
}

static bool equal_tile(const double *c, size_t n, size_t row, size_t col)
{
	for (size_t i = row; i < n && i < row + TILE; i++)
		for (size_t j = col; j < n && j < col + TILE; j++)
			if (c[i * n + j] != c[j * n + i])
				return false;
	return true;
}

bool pl_costs_symmetric(const double *c, size_t n)
{
	for (size_t row = 0; c && row < n; row += TILE)
		for (size_t col = 0; col <= row; col += TILE)
			if (!equal_tile(c, n, row, col))
				return false;
	return true;
}

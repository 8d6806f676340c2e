/* SPDX-License-Identifier: BSD-3-Clause */
/* few.h - the cells of a layer that lacks most of them */
#ifndef PLINK_BASE_MATRIX_FEW_H
#define PLINK_BASE_MATRIX_FEW_H

#include <stddef.h>
#include <stdint.h>

/* Cells by their place in the square, i * n + j. Takes about 25 bytes per cell that was set. */
struct pl_few {
	uint32_t *key; /* [room] place + 1; 0: free */
	double *value; /* [room] */
	size_t n, room;
};

/* An empty table. NULL: out of memory. */
struct pl_few *pl_few_create(void);
void pl_few_destroy(struct pl_few *few);

/* The cell @at, less than 2^32 - 1; NaN if it was not set. */
double pl_few_get(const struct pl_few *few, size_t at);

/* 0, or -1: out of memory. */
int pl_few_set(struct pl_few *few, size_t at, double value);

#endif

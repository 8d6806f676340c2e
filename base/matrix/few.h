/* SPDX-License-Identifier: BSD-3-Clause */
/* few.h - the cells of a layer of which most are missing */
#ifndef PLINK_BASE_MATRIX_FEW_H
#define PLINK_BASE_MATRIX_FEW_H

#include <stddef.h>
#include <stdint.h>

/* Cells by their place in the square. Takes some 25 bytes of each that was
 * set. */
struct pl_few {
	uint32_t *key; /* [room] place + 1; 0: free */
	double *value; /* [room] */
	size_t n, room;
};

/* With no cell in it. NULL: out of memory. */
struct pl_few *pl_few_create(void);
void pl_few_destroy(struct pl_few *few);

/* NaN where it was not set. @at is less than 2^32 - 1. */
double pl_few_get(const struct pl_few *few, size_t at);

/* 0, or -1: out of memory. */
int pl_few_set(struct pl_few *few, size_t at, double value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* folds.c - the parts of a cross-validation */
#include "config.h"

#include "planner/folds.h"

#include "base/mem.h"

#include <stdlib.h>

int pl_folds_deal(const size_t *cell, size_t n, size_t k, struct pl_rng *rng, size_t *part)
{
	size_t *number = pl_array_create(k, sizeof(*number)), n_cells = 0;

	if (!number)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (cell && i > 0 && cell[i] == cell[i - 1]) {
			part[i] = part[i - 1];
			continue;
		}
		if (n_cells % k == 0) {
			for (size_t j = 0; j < k; j++)
				number[j] = j;
			pl_rng_shuffle(rng, number, k);
		}
		part[i] = number[n_cells++ % k];
	}
	free(number);
	return 0;
}

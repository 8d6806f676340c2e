/* SPDX-License-Identifier: BSD-3-Clause */
/* missing.h - why pairs of a matrix, or rates, were not measured: each reason once */
#ifndef PLINK_SRC_COMMON_MISSING_H
#define PLINK_SRC_COMMON_MISSING_H

#include "base/matrix/matrix.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_MISSING_REASONS 20 /* the matrix has all */
#define PL_MISSING_TEXT 512

/* What is missing: cells, flows that were to show rates. */
enum pl_missing_kind { PL_MISSING_CELLS = 1, PL_MISSING_FLOWS = 2 };

/* Ways that are missing for one reason. */
struct pl_missing_reason {
	const struct pl_cell_note *first;
	size_t n_ways;
};

struct pl_missing {
	struct pl_missing_reason v[PL_MISSING_REASONS]; /* [n] */
	size_t n;
	bool more; /* there are reasons that are not in v */
};

/* Finds the reasons that @m notes, for these kinds, or-ed together. @m must outlive @to. */
void pl_missing_find(struct pl_missing *to, const struct pl_matrix *m, unsigned kinds);

/* "8 ways from and to h3: its agent ended"; "h0 to h1 and 3 more ways: no reply
 * within 5 s"; "flow from h0 to h1 and 21 more: cannot listen". Returns
 * @text. */
const char *pl_missing_text(char text[PL_MISSING_TEXT], const struct pl_matrix *m,
			    const struct pl_missing_reason *reason);

#endif

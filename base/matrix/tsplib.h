/* SPDX-License-Identifier: BSD-3-Clause */
/* tsplib.h - distances of TSPLIB95 (Reinelt, 1995) */
#ifndef PLINK_BASE_MATRIX_TSPLIB_H
#define PLINK_BASE_MATRIX_TSPLIB_H

#include "base/text/text.h"

/*
 * The distances of each EDGE_WEIGHT_TYPE, by section 2 of the TSPLIB95
 * description. EXPLICIT lists them and has no function. The others compute them
 * from two different places a[2] and b[2]: Euclidean, rounded to the nearest
 * integer (EUC_2D) or up (CEIL_2D); pseudo-Euclidean (ATT); kilometres on the
 * earth's surface between latitudes and longitudes in DDD.MM (GEO, which adds 1
 * before it truncates, so that places that coincide are 1 apart).
 */
struct pl_tsplib_metric {
	const char *name;
	double (*distance)(const double *a, const double *b);
};

/* NULL: unknown name. */
const struct pl_tsplib_metric *
pl_tsplib_metric_find(const struct pl_word *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* tsplib.h - distances of TSPLIB95 (Reinelt, 1995) */
#ifndef PLINK_BASE_MATRIX_TSPLIB_H
#define PLINK_BASE_MATRIX_TSPLIB_H

#include "base/text/text.h"

/*
 * How EDGE_WEIGHT_TYPE says distances are found, by section 2 of the TSPLIB95
 * description: listed (EXPLICIT: no function), or of two different places a[2]
 * and b[2]: Euclidean, rounded to the nearest (EUC_2D) or up (CEIL_2D);
 * pseudo-Euclidean (ATT); kilometres along the earth, places given as latitude
 * and longitude in DDD.MM (GEO; it adds 1 before it cuts, so that places that
 * coincide are 1 apart).
 */
struct pl_tsplib_metric {
	const char *name;
	double (*distance)(const double *a, const double *b);
};

/* NULL for a name that is none of these. */
const struct pl_tsplib_metric *
pl_tsplib_metric_find(const struct pl_word *name);

#endif

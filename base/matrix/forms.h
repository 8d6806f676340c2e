/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.h - the readers behind pl_matrix_parse, one per form */
#ifndef PLINK_BASE_MATRIX_FORMS_H
#define PLINK_BASE_MATRIX_FORMS_H

#include "base/matrix/matrix.h"

/* Each reads all of @text, which must be at its first line, as one form. NULL
 * with @err set: PL_EINPUT with the place, PL_ESYSTEM. */
struct pl_matrix *pl_matrix_parse_own(struct pl_text *text, struct pl_err *err);
struct pl_matrix *pl_matrix_parse_csv(struct pl_text *text, enum pl_unit unit, struct pl_err *err);
struct pl_matrix *pl_matrix_parse_square(struct pl_text *text, enum pl_unit unit,
					 struct pl_err *err);
struct pl_matrix *pl_tsplib_parse(struct pl_text *text, enum pl_unit unit, struct pl_err *err);
struct pl_matrix *pl_superbench_parse(struct pl_text *text, struct pl_err *err);

/* Does the text, which is JSON, have metrics of SuperBench's ib-traffic? */
bool pl_superbench_is(const struct pl_text *text);

/*
 * The distances of each EDGE_WEIGHT_TYPE, by section 2 of the TSPLIB95
 * description (Reinelt, 1995). EXPLICIT lists them and has no function. The
 * others compute them from two different places a[2] and b[2]: Euclidean,
 * rounded to the nearest integer (EUC_2D) or up (CEIL_2D); pseudo-Euclidean
 * (ATT); kilometres on the earth's surface between latitudes and longitudes in
 * DDD.MM (GEO, which adds 1 before it truncates, so that places that coincide
 * are 1 apart).
 */
struct pl_tsplib_metric {
	const char *name;
	double (*distance)(const double *a, const double *b);
};

/* NULL: unknown name. */
const struct pl_tsplib_metric *pl_tsplib_metric_find(const struct pl_word *name);

/* Does the line look like one of the head of a TSPLIB file ("TYPE: TSP")? */
bool pl_tsplib_is(struct pl_line line);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* forms.h - the readers behind pl_matrix_parse, one per form */
#ifndef PLINK_BASE_MATRIX_FORMS_H
#define PLINK_BASE_MATRIX_FORMS_H

#include "base/matrix/matrix.h"

/* Each reads all of @text, which must be at its first line, as one form. NULL with @err set:
 * PL_EINPUT with the place, PL_ESYSTEM. */
struct pl_matrix *pl_matrix_parse_own(struct pl_text *text, struct pl_err *err);
struct pl_matrix *pl_matrix_parse_csv(struct pl_text *text, enum pl_unit unit, struct pl_err *err);
struct pl_matrix *pl_matrix_parse_square(struct pl_text *text, enum pl_unit unit,
					 struct pl_err *err);

#endif

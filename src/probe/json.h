/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - writes the measurements of plink-probe as JSON (plink-probe(1)) */
#ifndef PLINK_SRC_PROBE_JSON_H
#define PLINK_SRC_PROBE_JSON_H

#include "src/probe/choice.h"

#include <stdio.h>

/* Writes one object and a line feed. @off, the error of estimates, is NULL if
 * all pairs were measured; if not, the object also states how pairs were
 * chosen. 0, or -1 with @err set. */
int probe_json_write(const struct pl_matrix *m,
		     const struct pl_probe_report *report,
		     const struct probe_args *args, const struct probe_off *off,
		     FILE *out, struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - what plink-probe measured, as JSON (plink-probe(1)) */
#ifndef PLINK_SRC_PROBE_JSON_H
#define PLINK_SRC_PROBE_JSON_H

#include "src/probe/choice.h"

#include <stdio.h>

/* What estimates are off by is NULL where all pairs were wanted; else also how
 * they were chosen is said. Writes one object and a line feed. 0, or -1 with
 * @err set. */
int probe_json_write(const struct pl_matrix *m,
		     const struct pl_probe_report *report,
		     const struct probe_args *args, const struct probe_off *off,
		     FILE *out, struct pl_err *err);

#endif

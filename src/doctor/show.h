/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - shows the findings, as text or JSON */
#ifndef PLINK_SRC_DOCTOR_SHOW_H
#define PLINK_SRC_DOCTOR_SHOW_H

#include "base/err.h"
#include "src/doctor/judge.h"

#include <stdio.h>

/* Writes a line per subject, then one per finding, then a summary. Write errors are left in the
 * stream. */
void pl_doctor_show(FILE *to, const struct pl_doctor_seen *seen,
		    const struct pl_doctor_verdict *verdict);

/* The same as one JSON object (plink-doctor(1)). 0, or -1 with @err set. */
int pl_doctor_show_json(FILE *to, const struct pl_doctor_seen *seen,
			const struct pl_doctor_verdict *verdict, struct pl_err *err);

/* "h1", "this machine", "all hosts". */
const char *pl_doctor_host_name(const struct pl_doctor_seen *seen, size_t host);

#endif

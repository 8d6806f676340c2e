/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - what was found out about hosts, for people and for programs */
#ifndef PLINK_SRC_DOCTOR_SHOW_H
#define PLINK_SRC_DOCTOR_SHOW_H

#include "base/err.h"
#include "src/doctor/judge.h"

#include <stdio.h>

/* A line a subject, then one a finding, then what it comes to. Writing errors
 * are the stream's. */
void pl_doctor_show(FILE *to, const struct pl_doctor_seen *seen,
		    const struct pl_doctor_verdict *verdict);

/* The same as one JSON object (plink-order(1)). 0, or -1 with @err set. */
int pl_doctor_show_json(FILE *to, const struct pl_doctor_seen *seen,
			const struct pl_doctor_verdict *verdict,
			struct pl_err *err);

/* "h1", "this machine", "all hosts". */
const char *pl_doctor_host_name(const struct pl_doctor_seen *seen, size_t host);

#endif

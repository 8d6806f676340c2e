/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - what plink-probe says of a run */
#ifndef PLINK_SRC_PROBE_SHOW_H
#define PLINK_SRC_PROBE_SHOW_H

#include "probes/probe.h"

#include <stdio.h>

/* To standard error: a line for each reason why cells are missing, with the first
 * such cell. */
void probe_show_missing(const struct pl_matrix *m);

/* To standard error: what was measured, sent, seen again, and how long it took. */
void probe_show_summary(const struct pl_probe_report *report,
			const struct pl_probe_options *options);

/* What --dry-run prints, lines of "key value" or "key least to most". */
void probe_show_forecast(const struct pl_probe_forecast *forecast, FILE *out);

#endif

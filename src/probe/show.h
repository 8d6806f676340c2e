/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - what plink-probe (and plink-probe-mpi) says of a run */
#ifndef PLINK_SRC_PROBE_SHOW_H
#define PLINK_SRC_PROBE_SHOW_H

#include "probes/fping/calibrate.h"
#include "src/probe/choice.h"

#include <stdio.h>

/* To standard error: a line for each reason why cells are missing, with the
 * first such cell. */
void probe_show_missing(const struct pl_matrix *m);

/* To standard error: who was lost when nothing of it was missing any more. */
void probe_show_lost(const struct pl_matrix *m);

#define PROBE_WARNING_CHARS 512
#define PROBE_WARN_4BYTE                                                       \
	"--insecure-4byte: whoever can send by a host's address can put "      \
	"values into this matrix"

/* The warning number @k (from 0) that whoever uses the matrix should know of:
 * other ways that a job may take, packets that nothing protects. @text, or
 * NULL: there are no more. */
const char *probe_warning(const struct pl_matrix *m, size_t k,
			  char text[PROBE_WARNING_CHARS]);

/* To standard error: that a job may take another way than was measured, where
 * hosts have one. */
void probe_show_verbs(const struct pl_matrix *m);

/* To standard error: how pairs were chosen, and how far estimates of others are
 * off. */
void probe_show_choice(const struct pl_probe_report *report,
		       const struct probe_off *off);

/* To standard error: what was measured, sent, seen again, and how long it
 * took. */
void probe_show_summary(const struct pl_probe_report *report,
			const struct pl_probe_options *options);

/* Of these what was seen again: part of the summary. */
void probe_show_second_pass(const struct pl_probe_report *report,
			    const struct pl_probe_options *options);

/* To standard error: the outcome of --calibrate. */
void probe_show_calibration(const struct pl_calibration *calibration);

/* What --dry-run prints, lines of "key value" or "key least to most". */
void probe_show_forecast(const struct pl_probe_forecast *forecast, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - the reports of plink-probe and plink-probe-mpi */
#ifndef PLINK_SRC_PROBE_SHOW_H
#define PLINK_SRC_PROBE_SHOW_H

#include "probes/fping/calibrate.h"
#include "src/probe/choice.h"

#include <stdio.h>

/* To standard error: a line for each reason why cells are missing, with the
 * first such cell. */
void probe_show_missing(const struct pl_matrix *m);

/* To standard error: the hosts that were lost after all of their pairs had been
 * measured. */
void probe_show_lost(const struct pl_matrix *m);

#define PROBE_WARNING_CHARS 512
#define PROBE_WARN_4BYTE                                                       \
	"--insecure-4byte: whoever can send by a host's address can put "      \
	"values into this matrix"

/* Warning number @k, from 0, for users of the matrix: other ways that a job may
 * take, packets without protection. Returns @text, or NULL: there are no
 * more. */
const char *probe_warning(const struct pl_matrix *m, size_t k,
			  char text[PROBE_WARNING_CHARS]);

/* To standard error: a warning if hosts have RDMA adapters, which a job may use
 * instead of the network that was measured. */
void probe_show_verbs(const struct pl_matrix *m);

/* To standard error: how pairs were chosen, and the error of the estimates of
 * others. */
void probe_show_choice(const struct pl_probe_report *report,
		       const struct probe_off *off);

/* To standard error: numbers of pairs and packets, what was measured again, and
 * how long it took. */
void probe_show_summary(const struct pl_probe_report *report,
			const struct pl_probe_options *options);

/* The part of the summary about pairs that were measured again. */
void probe_show_second_pass(const struct pl_probe_report *report,
			    const struct pl_probe_options *options);

/* To standard error: the outcome of --calibrate. */
void probe_show_calibration(const struct pl_calibration *calibration);

/* What --dry-run prints, lines of "key value" or "key least to most". */
void probe_show_forecast(const struct pl_probe_forecast *forecast, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* show.h - the reports of plink-probe and plink-probe-mpi, as text and JSON */
#ifndef PLINK_SRC_PROBE_SHOW_H
#define PLINK_SRC_PROBE_SHOW_H

#include "src/common/kept.h"
#include "src/probe/args.h"
#include "src/probe/choice.h"

#include <stdio.h>

/* To standard error: a line for each reason why cells are missing, with the first such cell. */
void probe_show_missing(const struct pl_matrix *m);

/* To standard error: the hosts that were lost after all of their pairs had been measured. */
void probe_show_lost(const struct pl_matrix *m);

#define PROBE_WARNING_CHARS 512

/* Warning number @k, from 0, for users of the matrix: other ways that a job may
 * take. Returns @text, or NULL: there are no more. */
const char *probe_warning(const struct pl_matrix *m, size_t k, char text[PROBE_WARNING_CHARS]);

/* To standard error: a warning if hosts have RDMA adapters, which a job may use instead of the
 * network that was measured. */
void probe_show_verbs(const struct pl_matrix *m);

/* To standard error: how pairs were chosen, and the error of the estimates of others. */
void probe_show_choice(const struct pl_probe_report *report, const struct probe_off *off);

/* To standard error: numbers of pairs and packets, what was measured again, and how long it
 * took. */
void probe_show_summary(const struct pl_probe_report *report,
			const struct pl_probe_options *options);

/* The part of the summary about pairs that were measured again. */
void probe_show_second_pass(const struct pl_probe_report *report,
			    const struct pl_probe_options *options);

/* What --dry-run prints, lines of "key value" or "key at most value". */
void probe_show_count(const struct pl_probe_count *count, FILE *out);

/* Writes one object and a line feed. @off, the error of estimates, is NULL if all pairs were
 * measured; if not, the object also states how pairs were chosen. 0, or -1 with @err set. */
int probe_json_write(const struct pl_matrix *m, const struct pl_probe_report *report,
		     const struct probe_args *args, const struct probe_off *off, FILE *out,
		     struct pl_err *err);

/* After the output was written: prints the commands that measure the rest,
 * with @push sending the agent along, and that order by what there is. Where
 * the output is no matrix in a file, @kept becomes one, and stays. */
void probe_remedy(const struct probe_args *args, const struct pl_probe_report *report,
		  const struct pl_matrix *m, bool push, struct pl_kept *kept);

#endif

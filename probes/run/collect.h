/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - collects the results of pairs in a matrix */
#ifndef PLINK_PROBES_RUN_COLLECT_H
#define PLINK_PROBES_RUN_COLLECT_H

#include "base/matrix/matrix.h"
#include "probes/pair/prober.h"
#include "probes/run/probe.h"

/* A matrix being filled. Start with pl_collect_init, end with fini. */
struct pl_collect {
	struct pl_matrix *matrix;
	uint8_t *noted;  /* [n*n] 1: the cell has a note */
	uint8_t *fresh;  /* [n*n] 1: the cell was measured in this run */
	uint8_t *chosen; /* [n*n] 1: the cell was chosen; NULL: all are */
};

/* @few: most cells will stay empty (pl_matrix_create_few). 0, or -1 with @err set. */
int pl_collect_init(struct pl_collect *c, const struct pl_hosts *hosts, bool few,
		    struct pl_err *err);

void pl_collect_fini(struct pl_collect *c);

/* From now on cells count as missing only if they are chosen. 0, or -1: out of memory. */
int pl_collect_choose(struct pl_collect *c);

/* Takes the result of src -> dst. @note, if not empty, says why no or few probes were answered. 0,
 * or -1: out of memory. */
int pl_collect_pair(struct pl_collect *c, size_t src, size_t dst, const struct pl_probed_pair *pair,
		    const char *note);

/* Adds a note to a cell. 0, or -1: out of memory. */
int pl_collect_note(struct pl_collect *c, size_t src, size_t dst, const char *text);

/* Notes why a cell is missing, unless it is present or has a note already. 0, or -1: out of
 * memory. */
int pl_collect_miss(struct pl_collect *c, size_t src, size_t dst, const char *why);

/* Counts measured and missing pairs, and the probes of those measured in this run, into @report. */
void pl_collect_count(const struct pl_collect *c, struct pl_probe_report *report);

#endif

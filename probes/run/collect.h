/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - results of pairs become a matrix */
#ifndef PLINK_PROBES_RUN_COLLECT_H
#define PLINK_PROBES_RUN_COLLECT_H

#include "base/matrix/matrix.h"
#include "probes/pair/prober.h"
#include "probes/run/probe.h"

/* A matrix being filled. Start with pl_collect_init, end with fini. */
struct pl_collect {
	struct pl_matrix *matrix;
	uint8_t *noted;      /* [n*n] 1: the cell has a note */
	uint8_t *fresh;      /* [n*n] 1: the cell was measured now */
	uint8_t *chosen;     /* [n*n] 1: it was to be; NULL: all were */
	bool has_resolution; /* a layer */
};

/* @few: most cells are going to stay empty (pl_matrix_create_few). 0, or -1
 * with @err set. */
int pl_collect_init(struct pl_collect *c, const struct pl_hosts *hosts,
		    bool few, struct pl_err *err);

/* It is to be of fping's round trips: with a layer "resolution", the step in
 * which a pair's p10 was told. 0, or -1 with @err set. */
int pl_collect_is_icmp(struct pl_collect *c, struct pl_err *err);

/* Leaves out the layers of what fping does not tell: late and duplicate
 * answers, and flows. After pl_collect_count; nothing else may follow. */
void pl_collect_prune(struct pl_collect *c);

void pl_collect_fini(struct pl_collect *c);

/* From now on only cells that are chosen are to be there. 0, or -1: out of
 * memory. */
int pl_collect_choose(struct pl_collect *c);

/* Takes the result of src -> dst. @note, where not empty, says why nothing was
 * answered or how few. 0, or -1: out of memory. */
int pl_collect_pair(struct pl_collect *c, size_t src, size_t dst,
		    const struct pl_probed_pair *pair, const char *note);

/* Notes something on a cell. 0, or -1: out of memory. */
int pl_collect_note(struct pl_collect *c, size_t src, size_t dst,
		    const char *text);

/* Says why a cell is missing, unless it is not or that has been said.
 * 0, or -1: out of memory. */
int pl_collect_miss(struct pl_collect *c, size_t src, size_t dst,
		    const char *why);

/* Counts measured and missing pairs and the probes of those measured now into
 * @report. */
void pl_collect_count(const struct pl_collect *c,
		      struct pl_probe_report *report);

#endif

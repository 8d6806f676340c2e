/* SPDX-License-Identifier: BSD-3-Clause */
/* layers.h - the layers of a matrix that hold TCP bandwidths, and its notes on flows */
#ifndef PLINK_PROBES_BANDWIDTH_LAYERS_H
#define PLINK_PROBES_BANDWIDTH_LAYERS_H

#include "base/matrix/matrix.h"
#include "probes/run/probe.h"

/* Adds the layers that are asked for or that options->resume has, copies the cells of
 * options->resume and its headers of racks and rates, and adds a header on how they are measured.
 * 0, or -1: out of memory. */
int pl_bandwidth_prepare(struct pl_matrix *m, const struct pl_probe_options *options);

/* The cells, bytes per second, [n*n], NaN where missing; NULL: there is no such layer, or @m stores
 * few cells. */
double *pl_bandwidth_cells(const struct pl_matrix *m, enum pl_bandwidth_way way);

/* Are few flows asked for, and has @m (NULL: no matrix) no rates yet, or some of them only since
 * flows failed? */
bool pl_bandwidth_wants_few(const struct pl_matrix *m, const struct pl_probe_options *options);

/* Number of cells that are asked for and missing. */
size_t pl_bandwidth_missing(const struct pl_matrix *m, const struct pl_probe_options *options);

/* Is any of cell[n*n] missing between hosts that meet in that round of schedule.h? @cell NULL: all
 * are. */
bool pl_bandwidth_lacks_round(const double *cell, size_t n, size_t round);

/* Notes "alone: TEXT" on a cell; "few: TEXT" (pl_tiers_flow_failed): why
 * a flow of PL_BANDWIDTH_FEW failed there. 0, or -1: out of memory. */
int pl_bandwidth_note(struct pl_matrix *m, enum pl_bandwidth_way way, size_t src, size_t dst,
		      const char *text);

/* The text of a note without the way of measuring that it begins with. */
const char *pl_bandwidth_words(const struct pl_cell_note *note);

/* The layer that a note is about; NULL: none of these layers. */
const struct pl_layer *pl_bandwidth_noted(const struct pl_matrix *m,
					  const struct pl_cell_note *note);

/* Does a note say that the bandwidth of its cell tells little of the links? */
bool pl_bandwidth_doubted(const struct pl_matrix *m, const struct pl_cell_note *note);

/* Is the cell that a note is about missing, in these layers or the first one? That of a flow among
 * few is none. */
bool pl_bandwidth_lacks(const struct pl_matrix *m, const struct pl_cell_note *note);

/* Can the cells missing in options->resume be measured in the same way as those present? 0, or -1
 * with @err telling the difference. */
int pl_bandwidth_check(const struct pl_probe_options *options, struct pl_err *err);

#endif

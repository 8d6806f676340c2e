/* SPDX-License-Identifier: BSD-3-Clause */
/* layers.h - where a matrix keeps what TCP got through */
#ifndef PLINK_PROBES_BANDWIDTH_LAYERS_H
#define PLINK_PROBES_BANDWIDTH_LAYERS_H

#include "base/matrix/matrix.h"
#include "probes/run/probe.h"

/* The layer's statistic: "alone", "together". Static. */
const char *pl_bandwidth_name(enum pl_bandwidth_way way);

/* Adds the layers that are asked for or that options->resume has, with what
 * that has in them, and says how they are measured; keeps its lines of racks
 * and rates. 0, or -1: out of memory. */
int pl_bandwidth_prepare(struct pl_matrix *m,
			 const struct pl_probe_options *options);

/* Bytes per second, [n*n], NaN where missing; NULL: there is no such layer, or
 * @m is of few cells. */
double *pl_bandwidth_cells(const struct pl_matrix *m,
			   enum pl_bandwidth_way way);

/* Are few flows asked for, and does @m (NULL: nothing) not have what they tell
 * yet? */
bool pl_bandwidth_wants_few(const struct pl_matrix *m,
			    const struct pl_probe_options *options);

/* Cells that are asked for and missing. */
size_t pl_bandwidth_missing(const struct pl_matrix *m,
			    const struct pl_probe_options *options);

/* Notes "alone: TEXT" on a cell. 0, or -1: out of memory. */
int pl_bandwidth_note(struct pl_matrix *m, enum pl_bandwidth_way way,
		      size_t src, size_t dst, const char *text);

/* Which layer is a note about? NULL: none of these. */
const struct pl_layer *pl_bandwidth_noted(const struct pl_matrix *m,
					  const struct pl_cell_note *note);

/* Does a note say that the bandwidth of its cell tells little of the links? */
bool pl_bandwidth_doubted(const struct pl_matrix *m,
			  const struct pl_cell_note *note);

/* Is the cell missing that a note is about, be it of these layers or the
 * first? */
bool pl_bandwidth_lacks(const struct pl_matrix *m,
			const struct pl_cell_note *note);

/* Can what is missing in options->resume be measured so that it fits what is
 * there? 0, or -1 with @err saying what differs. */
int pl_bandwidth_check(const struct pl_probe_options *options,
		       struct pl_err *err);

#endif

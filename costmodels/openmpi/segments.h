/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.h - a buffer that Open MPI sends in segments along a tree */
#ifndef PLINK_COSTMODELS_OPENMPI_SEGMENTS_H
#define PLINK_COSTMODELS_OPENMPI_SEGMENTS_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/openmpi/trees.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* All segments have the same size, a whole number of elements; the last one may
 * be shorter. */
struct pl_openmpi_segments {
	uint64_t bytes, segment_bytes;
	size_t n;
	uint64_t at; /* of the first one in the buffer of the call */
};

/*
 * The segments of a call: call->segment_bytes rounded to the nearest whole
 * number of elements (half an element is rounded down). There is one segment if
 * segment_bytes is 0, less than an element, or not less than the buffer; no
 * segment if the call has no bytes.
 */
struct pl_openmpi_segments pl_openmpi_segments(const struct pl_call *call);

uint64_t pl_openmpi_segment_bytes(const struct pl_openmpi_segments *segments, size_t i);
uint64_t pl_openmpi_segment_at(const struct pl_openmpi_segments *segments, size_t i);

/* 0, or -1 with @err set (PL_EUSAGE) if the number of elements or the size of a
 * segment does not fit in Open MPI's int. */
int pl_openmpi_check_segments(const struct pl_call *call, struct pl_err *err);

/* 0, or -1 with @err set (PL_EUSAGE) if a tree of @n_pos ranks takes more
 * messages than a pattern may have. A generator calls this before it writes any
 * message. */
int pl_openmpi_check_messages(const struct pl_openmpi_segments *segments, size_t n_pos,
			      struct pl_err *err);

enum pl_openmpi_direction {
	PL_OPENMPI_DOWN, /* from the root to the leaves */
	PL_OPENMPI_UP,
};

/*
 * The shape of sending these segments along this tree: the longest path. But
 * segments of more than PL_OPENMPI_EAGER_BYTES wait for a handshake each; if
 * there are more of them than levels of the tree, the cost is that of the
 * slowest hop, taken once for each segment. 0, or -1 with @err set and *shape
 * empty.
 */
int pl_openmpi_tree_shape(struct pl_shape *shape, const struct pl_openmpi_tree *tree,
			  const struct pl_openmpi_segments *segments,
			  enum pl_openmpi_direction direction, struct pl_err *err);

/*
 * The same as a sum of maxima, for algorithms that do more than send along a
 * tree: a group for each level, whose sum is not less than the longest path, or
 * one group for the slowest hop. The groups of a caller's further hops begin at
 * shape->n_groups.
 */
int pl_openmpi_levels_shape(struct pl_shape *shape, const struct pl_openmpi_tree *tree,
			    const struct pl_openmpi_segments *segments,
			    enum pl_openmpi_direction direction, struct pl_err *err);

#endif

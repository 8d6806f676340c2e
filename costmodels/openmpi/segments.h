/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.h - a buffer that Open MPI passes on in segments along a tree */
#ifndef PLINK_COSTMODELS_OPENMPI_SEGMENTS_H
#define PLINK_COSTMODELS_OPENMPI_SEGMENTS_H

#include "base/err.h"
#include "costmodels/algorithm.h"
#include "costmodels/openmpi/trees.h"
#include "costmodels/shape.h"

#include <stddef.h>
#include <stdint.h>

/* btl_tcp_eager_limit, which counts a header of ob1 too: a message of a whole
 * 64 KiB of data and more waits for a handshake. */
#define PL_OPENMPI_EAGER_LIMIT 65536

/* All of one size, a whole number of elements, but for the last one, which may
 * be shorter. */
struct pl_openmpi_segments {
	uint64_t bytes, segment_bytes;
	size_t n;
};

/*
 * As the call asks for: segment_bytes to the nearest whole number of elements
 * (half of one goes down); one segment where that is 0, less than an element,
 * or no less than the buffer. No bytes, no segments.
 */
struct pl_openmpi_segments pl_openmpi_segments(const struct pl_call *call);

uint64_t pl_openmpi_segment_bytes(const struct pl_openmpi_segments *segments,
				  size_t i);

/* 0, or -1 with @err set (PL_EUSAGE): what does not fit in Open MPI's int, the
 * count or the size of a segment. */
int pl_openmpi_check_segments(const struct pl_call *call, struct pl_err *err);

/* 0, or -1 with @err set (PL_EUSAGE): more messages along a tree of @n_pos
 * ranks than a pattern may have. Said before they are all written down. */
int pl_openmpi_check_messages(const struct pl_openmpi_segments *segments,
			      size_t n_pos, struct pl_err *err);

enum pl_openmpi_direction {
	PL_OPENMPI_DOWN, /* from the root to the leaves */
	PL_OPENMPI_UP,
};

/*
 * What passing these segments along that tree depends on: the longest path.
 * Segments of TCP's eager limit (64 KiB) and more wait for a handshake each,
 * and where there are more of them than hops in a row, the dearest hop rules
 * instead. 0, or -1 with @err set.
 */
int pl_openmpi_tree_shape(struct pl_shape *shape,
			  const struct pl_openmpi_tree *tree,
			  const struct pl_openmpi_segments *segments,
			  enum pl_openmpi_direction direction,
			  struct pl_err *err);

/*
 * The same as a sum of maxima, for what is more than a tree: a group for each
 * level, whose sum is no less than the longest path, or one for the dearest
 * hop. Groups of what else there is begin at n_groups.
 */
int pl_openmpi_levels_shape(struct pl_shape *shape,
			    const struct pl_openmpi_tree *tree,
			    const struct pl_openmpi_segments *segments,
			    enum pl_openmpi_direction direction,
			    struct pl_err *err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* segments.c - a buffer that Open MPI passes on in segments along a tree */
#include "config.h"

#include "costmodels/openmpi/segments.h"

#include "costmodels/openmpi/algorithms.h"

#include <limits.h>

struct pl_openmpi_segments pl_openmpi_segments(const struct pl_call *call)
{
	struct pl_openmpi_segments s = {call->bytes, call->bytes, 1, 0};

	if (call->bytes == 0)
		return (struct pl_openmpi_segments){0};
	if (call->segment_bytes < call->element_bytes || call->segment_bytes >= call->bytes)
		return s;
	s.segment_bytes = call->segment_bytes / call->element_bytes * call->element_bytes;
	if (call->segment_bytes - s.segment_bytes > call->element_bytes / 2)
		s.segment_bytes += call->element_bytes;
	s.n = (size_t)((s.bytes + s.segment_bytes - 1) / s.segment_bytes);
	return s;
}

uint64_t pl_openmpi_segment_bytes(const struct pl_openmpi_segments *segments, size_t i)
{
	return i + 1 < segments->n ? segments->segment_bytes
				   : segments->bytes - i * segments->segment_bytes;
}

uint64_t pl_openmpi_segment_at(const struct pl_openmpi_segments *segments, size_t i)
{
	return segments->at + i * segments->segment_bytes;
}

int pl_openmpi_check_segments(const struct pl_call *call, struct pl_err *err)
{
	if (call->segment_bytes > INT_MAX)
		return pl_err_set(err, PL_EUSAGE,
				  "segments of %llu bytes: Open MPI takes at most %d",
				  (unsigned long long)call->segment_bytes, INT_MAX);
	return pl_openmpi_check_count(call, err);
}

int pl_openmpi_check_messages(const struct pl_openmpi_segments *segments, size_t n_pos,
			      struct pl_err *err)
{
	if (n_pos < 2 || segments->n <= PL_PATTERN_MESSAGES_MAX / (n_pos - 1))
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%zu segments to each of %zu ranks take more than "
			  "%zu messages",
			  segments->n, n_pos - 1, PL_PATTERN_MESSAGES_MAX);
}

/* Does the dearest hop rule? */
static bool hop_rules(const struct pl_openmpi_tree *tree,
		      const struct pl_openmpi_segments *segments)
{
	return segments->segment_bytes > PL_OPENMPI_EAGER_BYTES &&
	       segments->n > pl_openmpi_tree_depth(tree);
}

/* Every hop of the tree, in the group of its level if @levels. */
static int add_hops(struct pl_shape *shape, const struct pl_openmpi_tree *tree,
		    const struct pl_openmpi_segments *segments, enum pl_openmpi_direction direction,
		    bool levels, struct pl_err *err)
{
	const bool up = direction == PL_OPENMPI_UP;
	const bool rules = hop_rules(tree, segments);

	for (size_t rank = 0; segments->n > 0 && rank < tree->n; rank++) {
		const struct pl_openmpi_node node = pl_openmpi_node(tree, rank);
		const struct pl_hop hop = {
			.src = (uint32_t)(up ? rank : node.parent),
			.dst = (uint32_t)(up ? node.parent : rank),
			.group = levels && !rules ? (uint32_t)node.depth - 1 : 0,
			.times = rules ? (double)segments->n : 1,
			.bytes = (double)segments->segment_bytes,
		};

		if (node.depth > 0 && pl_shape_add(shape, hop, err)) {
			pl_shape_fini(shape);
			return -1;
		}
	}
	return 0;
}

int pl_openmpi_tree_shape(struct pl_shape *shape, const struct pl_openmpi_tree *tree,
			  const struct pl_openmpi_segments *segments,
			  enum pl_openmpi_direction direction, struct pl_err *err)
{
	*shape = (struct pl_shape){
		.kind = hop_rules(tree, segments) ? PL_SLOWEST : PL_LONGEST_PATH,
		.n_pos = tree->n,
	};
	return add_hops(shape, tree, segments, direction, false, err);
}

int pl_openmpi_levels_shape(struct pl_shape *shape, const struct pl_openmpi_tree *tree,
			    const struct pl_openmpi_segments *segments,
			    enum pl_openmpi_direction direction, struct pl_err *err)
{
	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = tree->n};
	return add_hops(shape, tree, segments, direction, true, err);
}

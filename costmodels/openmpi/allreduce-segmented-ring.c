/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-segmented-ring.c - all-reduce: a ring that reduces block by block
 * in parts */
/*
 *   phase a: 0 --> 1 --> 2 --> 0      the first segment of every block once
 *   phase b: 0 --> 1 --> 2 --> 0      round, then the second, ...;
 *   gather:  0 --> 1 --> 2 --> 0      whole blocks once more
 *
 * Cost: the ring's bytes in (phases + 1) (N - 1) messages; the objective is the
 * sum of the hops. Phases follow one another, they are no pipeline. Their
 * number is the whole multiples of N segments in the buffer, one more where
 * over half of one is left; blocks are then cut evenly, so segments may be
 * longer than asked for. Without a segment size, or with one too long for a
 * single phase, the library runs its unsegmented ring: "default" always does.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#include <limits.h>

/* Elements in a segment: all where none is set that is shorter. */
static uint64_t segment_count(const struct pl_call *call)
{
	const uint64_t segment = call->segment_bytes;
	const uint64_t element = call->element_bytes;
	uint64_t count = call->bytes / element;

	if (segment >= element && segment < call->bytes) {
		count = segment / element;
		if (segment % element > element / 2)
			count++;
	}
	return count;
}

/* The library multiplies a segment's elements by the ranks in an int. */
static int check(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t n = call->n_pos;

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (n == 1 || count < n || segment_count(call) <= INT_MAX / n)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements in a segment for %llu ranks are more "
			  "than the library's int can hold",
			  (unsigned long long)segment_count(call), (unsigned long long)n);
}

int pl_openmpi_allreduce_segmented_ring(struct pl_script *s, const struct pl_call *call,
					struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t n = call->n_pos;
	struct pl_openmpi_ring ring = {{call->bytes, call->element_bytes, call->n_pos}, 1};
	uint64_t turn; /* elements of a phase */

	if (check(call, err))
		return -1;
	turn = n * segment_count(call);
	if (n == 1 || count < n || count < turn)
		return pl_openmpi_allreduce_ring(s, call, err);
	ring.n_phases = (size_t)(count / turn);
	if (count % turn >= n && count % turn > turn / 2)
		ring.n_phases++;
	pl_openmpi_run_ring(s, &ring);
	return 0;
}

int pl_openmpi_allreduce_segmented_ring_shape(struct pl_shape *shape, const struct pl_call *call,
					      struct pl_err *err)
{
	if (check(call, err))
		return -1;
	return pl_openmpi_allreduce_ring_shape(shape, call, err);
}

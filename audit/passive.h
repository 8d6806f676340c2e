/* SPDX-License-Identifier: BSD-3-Clause */
/* passive.h - a matrix from the round trips of a job's own packets */
#ifndef PLINK_AUDIT_PASSIVE_H
#define PLINK_AUDIT_PASSIVE_H

#include "audit/placement.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "base/matrix/matrix.h"

struct pl_passive_input {
	/* [n_traces], read with with_trips set; owners that are not known are
	 * filled in */
	struct pl_trace *trace;
	size_t n_traces;
	const struct pl_placement *job;
	const struct pl_who *who;
	/* in each direction of a pair; with fewer the cell is missing */
	size_t samples_min;
};

/*
 * Makes a matrix of the job's hosts, method "passive". A cell is computed from
 * the capture on its source: the round trips of the segments that the source
 * sent to the destination and that were acknowledged. Layers: p10 (first), min,
 * p50, p90, p99, and the counts samples, delayed (acknowledgements that waited
 * for a timer; left out) and again (segments sent again; left out). A missing
 * cell has a note with the reason. An acknowledgement without data counts as
 * delayed if it came 35 ms or more later than the pair's fastest one: a
 * receiver holds an acknowledgement back for 40 ms or more (Linux; RFC 1122
 * allows 500). NULL with @err set: out of memory.
 */
struct pl_matrix *pl_passive_matrix(const struct pl_passive_input *in, struct pl_err *err);

#endif

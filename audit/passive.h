/* SPDX-License-Identifier: BSD-3-Clause */
/* passive.h - the round trips of a job's own packets become a matrix */
#ifndef PLINK_AUDIT_PASSIVE_H
#define PLINK_AUDIT_PASSIVE_H

#include "audit/job.h"
#include "audit/trace.h"
#include "audit/who.h"
#include "base/matrix/matrix.h"

struct pl_passive_input {
	struct pl_trace *trace; /* [n_traces], read with trips; owners that are
				 * not known are filled in */
	size_t n_traces;
	const struct pl_job *job;
	const struct pl_who *who;
	size_t samples_min; /* of a directed pair; fewer are no value */
};

/*
 * A matrix over the job's hosts, method "passive": of what the capture on a
 * host saw it send to another one, and that acknowledged. Layers p10 (first),
 * min, p50, p90, p99, and counts: samples, delayed (acknowledgements that a
 * timer let go, left out), again (segments sent again, left out). What is
 * missing says why. A bare acknowledgement counts as delayed when it came 35 ms
 * later than the pair's fastest: a receiver holds one back for 40 ms or more
 * (Linux; RFC 1122 allows 500). NULL with @err set.
 */
struct pl_matrix *pl_passive_matrix(const struct pl_passive_input *in,
				    struct pl_err *err);

#endif

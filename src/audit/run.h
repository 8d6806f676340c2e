/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - an audit: compares the traffic that was seen with a pattern */
#ifndef PLINK_SRC_AUDIT_RUN_H
#define PLINK_SRC_AUDIT_RUN_H

#include "audit/placement.h"
#include "audit/merge.h"
#include "audit/pairs.h"
#include "audit/rounds.h"
#include "audit/verdict.h"
#include "base/err.h"
#include "costmodels/pattern.h"
#include "engine/schedule.h"
#include "src/audit/options.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

enum audit_rounds {
	AUDIT_ROUNDS_CHECKED,
	AUDIT_ROUNDS_NO_TIMES, /* monitoring has no times */
	AUDIT_ROUNDS_SLOTS,    /* ranks share hosts */
	AUDIT_ROUNDS_LOST,     /* the time of some bytes is not known */
	AUDIT_ROUNDS_BYTES,    /* bytes do not match: messages cannot be placed */
	AUDIT_ROUNDS_CHUNKS,   /* a schedule's have no order among one another */
};

/* What goes from one rack to another (--topology). */
struct audit_racks {
	size_t n; /* of the job's hosts; 0: not asked for */
	uint64_t payload_bytes, expected_bytes, seen_bytes;
};

/* Start with {0}, end with fini. */
struct audit {
	const struct audit_options *o; /* borrowed */
	struct pl_placement job;
	struct pl_call call; /* as passed to the algorithm */
	/* of the algorithm that the library selects; of the schedule */
	const char *name, *impl;
	struct pl_schedules schedules; /* --schedule */
	struct pl_pattern pattern;
	struct pl_audit_pairs pairs;
	struct pl_audit_verdict verdict;
	struct audit_racks racks;
	bool monitored; /* by Open MPI; else captured */
	size_t n_sources;
	struct pl_merge_sums sums; /* of captures */
	enum audit_rounds rounds_state;
	struct pl_rounds rounds;
};

/* Fills in ranks and slots and makes the pattern. @n_ranks: 0 if the job determines it. 0, or -1
 * with @err set. */
int audit_make_pattern(struct audit *a, struct pl_err *err);

/* Fills in a->racks from the pairs, if --topology tells the racks. 0, or -1 with @err set, as for a
 * host that is in none. */
int audit_sum_racks(struct audit *a, struct pl_err *err);

/* Runs an audit up to its verdict. 0, or -1 with @err set. */
int audit_run(struct audit *a, const struct audit_options *o, const volatile sig_atomic_t *stop,
	      struct pl_err *err);

/* Does everything match, and was everything seen? */
bool audit_is_match(const struct audit *a);

/* "match"; "differs"; "partial": nothing differs, but not everything was
 * seen. */
const char *audit_result(const struct audit *a);

void audit_fini(struct audit *a);

/* Writes text for people, or JSON (plink-audit(1)): 0, or -1 with @err set. */
void audit_report(const struct audit *a, FILE *out);
int audit_json(const struct audit *a, FILE *out, struct pl_err *err);

#endif

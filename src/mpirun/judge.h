/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h - can the job follow the plan, and which rank does each process
 * get? */
#ifndef PLINK_SRC_MPIRUN_JUDGE_H
#define PLINK_SRC_MPIRUN_JUDGE_H

#include "base/err.h"
#include "base/plan/plan.h"
#include "src/common/launcher.h"
#include "src/mpirun/check.h"
#include "src/mpirun/options.h"

#include <stdbool.h>
#include <stdint.h>

/* What the job is compared with. */
struct pl_judge {
	const struct pl_check *check;
	const struct pl_plan *plan;
	uint64_t digest; /* of the plan on this machine */
	const struct pl_mpi *mpirun;
	enum pl_mpirun_mode mode;
};

/* Both indexed by the rank that the launcher gives. Start with {0}, end with fini. */
struct pl_mpirun_verdict {
	int *host_of;  /* [n]: index of its host in the plan */
	int *new_rank; /* [n]; as launched if the mode changes no rank */
	size_t n;
	int first;             /* the process that becomes rank 0 */
	bool identity;         /* no rank changes */
	size_t n_without_plan; /* processes that cannot read it */
};

/* Checks a process: 0; or -1 with PL_EPARTIAL and its first fault. *host becomes its host in the
 * plan. */
int pl_judge_process(const struct pl_judge *judge, size_t rank, int *host, struct pl_err *err);

/* Writes the indices of the flags [n] that are set: "3", "0-3,7"; cut at the end of @buf. */
void pl_judge_list(const bool *flag, size_t n, char *buf, size_t size);

/*
 * Judges all processes. 0 with the verdict; or -1: PL_EPARTIAL after messages about the faults, by
 * host; PL_ESYSTEM. @verdict must be {0}, and stays so if this fails.
 */
int pl_judge(const struct pl_judge *judge, struct pl_mpirun_verdict *verdict, struct pl_err *err);

void pl_verdict_fini(struct pl_mpirun_verdict *verdict);

#endif

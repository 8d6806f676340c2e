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

/* What the job is held against. */
struct pl_judge {
	const struct pl_check *check;
	const struct pl_plan *plan;
	uint64_t digest; /* of the plan here */
	const struct pl_mpi *mpirun;
	enum pl_mpirun_mode mode;
};

/* Both indexed by the rank that the launcher gives. Start with {0}, end with
 * fini. */
struct pl_mpirun_verdict {
	int *host_of;  /* [n]: host of the plan */
	int *new_rank; /* [n]; as launched where the mode changes no rank */
	size_t n;
	int first;             /* who becomes rank 0 */
	bool identity;         /* no rank changes */
	size_t n_without_plan; /* processes that cannot read it */
};

/* The first fault of a process, for one reader: 0, or -1 with PL_EPARTIAL.
 * @host becomes its host in the plan. */
int pl_judge_process(const struct pl_judge *judge, size_t rank, int *host,
		     struct pl_err *err);

/* "3", "0-3,7": of the flags [n] that are set; cut where @buf ends. */
void pl_judge_list(const bool *flag, size_t n, char *buf, size_t size);

/*
 * 0 and the verdict; or -1: PL_EPARTIAL, the faults having been said, by host,
 * PL_ESYSTEM. @verdict must be {0}, and is where this fails.
 */
int pl_judge(const struct pl_judge *judge, struct pl_mpirun_verdict *verdict,
	     struct pl_err *err);

void pl_verdict_fini(struct pl_mpirun_verdict *verdict);

#endif

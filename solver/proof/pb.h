/* SPDX-License-Identifier: BSD-3-Clause */
/* pb.h - pseudo-boolean constraints, by Z3 where it was built in */
#ifndef PLINK_SOLVER_PROOF_PB_H
#define PLINK_SOLVER_PROOF_PB_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Weights of one constraint may add up to this. */
#define PL_PB_SUM_MAX INT32_MAX

/*
 * Variables are true or false and numbered from 1; -v stands for not v. What
 * goes wrong while constraints are added is told by the next pl_pb_solve.
 */
struct pl_pb;

/* Is there Z3? Without, pl_pb_create fails. */
bool pl_pb_built(void);

/* NULL with @err set: PL_EUSAGE where it was not built in, memory. */
struct pl_pb *pl_pb_create(struct pl_err *err);
void pl_pb_destroy(struct pl_pb *pb);

/* A new variable; 0: memory. */
int pl_pb_var(struct pl_pb *pb);

/* At least one of them is true. */
void pl_pb_any(struct pl_pb *pb, const int *lit, size_t n);

/* Exactly one of them is. */
void pl_pb_one(struct pl_pb *pb, const int *lit, size_t n);

/* The weights (>= 0, see PL_PB_SUM_MAX) of those that are true add up to @most
 * at most. */
void pl_pb_at_most(struct pl_pb *pb, const int *lit, const int *weight,
		   size_t n, int most);

enum pl_pb_answer {
	PL_PB_YES, /* see pl_pb_true */
	PL_PB_NO,  /* nothing fits all constraints */
	PL_PB_UNKNOWN,
};

/*
 * Looks for values that fit until *stop says so, or for @work, in Z3's own
 * units of it (rlimit; 0: without end), which do not depend on the clock. *work
 * becomes what is left. While it works, a thread of its own watches the stop.
 * 0, or -1 with @err set: memory, what Z3 says, threads.
 */
int pl_pb_solve(struct pl_pb *pb, const struct pl_stop *stop, uint64_t *work,
		enum pl_pb_answer *answer, struct pl_err *err);

/* After PL_PB_YES: the variable's value. */
bool pl_pb_true(struct pl_pb *pb, int var);

#endif

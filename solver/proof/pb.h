/* SPDX-License-Identifier: BSD-3-Clause */
/* pb.h - pseudo-boolean constraints, by Z3 where it was built in */
#ifndef PLINK_SOLVER_PROOF_PB_H
#define PLINK_SOLVER_PROOF_PB_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limit of the sum of all weights of one constraint. */
#define PL_PB_SUM_MAX INT32_MAX

/* Variables are true or false and numbered from 1; -v stands for not v. Errors while constraints
 * are added are reported by the next pl_pb_solve. */
struct pl_pb;

/* True if Z3 was built in. Without it pl_pb_create fails. */
bool pl_pb_built(void);

/* NULL with @err set: PL_EUSAGE if Z3 was not built in, or out of memory. */
struct pl_pb *pl_pb_create(struct pl_err *err);
void pl_pb_destroy(struct pl_pb *pb);

/* Returns a new variable, or 0: out of memory. */
int pl_pb_var(struct pl_pb *pb);

/* At least one of the literals is true. */
void pl_pb_any(struct pl_pb *pb, const int *lit, size_t n);

/* Exactly one of the literals is true. */
void pl_pb_one(struct pl_pb *pb, const int *lit, size_t n);

/* The weights (>= 0, see PL_PB_SUM_MAX) of the true literals add up to @most or less. */
void pl_pb_at_most(struct pl_pb *pb, const int *lit, const int *weight, size_t n, int most);

enum pl_pb_answer {
	PL_PB_YES, /* found values: see pl_pb_true */
	PL_PB_NO,  /* no values meet all constraints */
	PL_PB_UNKNOWN,
};

/*
 * Looks for values that meet all constraints until *stop comes or *work is used up. *work is in
 * Z3's own units (rlimit; 0: no limit), which do not depend on the clock; it becomes what is left,
 * at least 1 if it was not 0. A separate thread watches *stop meanwhile. 0, or -1 with @err set:
 * out of memory, no thread, or an error of Z3.
 */
int pl_pb_solve(struct pl_pb *pb, const struct pl_stop *stop, uint64_t *work,
		enum pl_pb_answer *answer, struct pl_err *err);

/* After PL_PB_YES: the variable's value. */
bool pl_pb_true(struct pl_pb *pb, int var);

#endif

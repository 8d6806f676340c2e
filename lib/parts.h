/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what libplink's objects are made of; not for programs */
#ifndef PLINK_LIB_PARTS_H
#define PLINK_LIB_PARTS_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/plan/plan.h"
#include "base/text/text.h"
#include "engine/schedule.h"
#include "lib/plink.h"
#include "order/request.h"

/* Inside plink, errors have the codes of base/err.h. */
struct pl_net {
	struct pl_matrix *m;
};

struct pl_goal {
	struct pl_order_request request; /* but for the strings below */
	char *collective, *algorithm, *impl, *pin;
	char *job; /* the path of its file; NULL: one call is ordered for */
	bool no_digest;
	const volatile sig_atomic_t *stop;
};

struct pl_schedule_file {
	struct pl_schedules schedules; /* checked */
	uint64_t digest;               /* of the text */
};

/* Reads schedules from a text, with its digest, and checks them. NULL with @err set. */
struct pl_schedule_file *pl_schedule_file_parse(struct pl_text *text, struct pl_err *err);

/* Passes an error inside plink on to the program. Returns -1. */
int pl_lib_fail(struct pl_error *error, const struct pl_err *err);

/* The way back, for parts of plink that call what programs call. Returns -1. */
int pl_lib_back(struct pl_err *err, const struct pl_error *error);

/* Reports a mistake of the program: PL_ERROR_USAGE. Returns -1. */
int pl_lib_refuse(struct pl_error *error, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* PL_ERROR_SYSTEM, "out of memory". Returns -1. */
int pl_lib_nomem(struct pl_error *error);

#endif

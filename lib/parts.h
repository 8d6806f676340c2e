/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - what libplink's objects are made of; not for programs */
#ifndef PLINK_LIB_PARTS_H
#define PLINK_LIB_PARTS_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/plan/plan.h"
#include "lib/plink.h"
#include "order/request.h"

/* Errors within plink have codes of their own (base/err.h). */
struct pl_net {
	struct pl_matrix *m;
};

struct pl_goal {
	struct pl_order_request request; /* borrows the texts below */
	char *collective, *algorithm, *impl, *pin;
	const volatile sig_atomic_t *stop;
};

/* Tells a program of an error within plink. Gives -1. */
int pl_lib_fail(struct pl_error *error, const struct pl_err *err);

/* The program's own mistake: PL_ERROR_USAGE. Gives -1. */
int pl_lib_refuse(struct pl_error *error, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* PL_ERROR_SYSTEM, "out of memory". Gives -1. */
int pl_lib_nomem(struct pl_error *error);

#endif

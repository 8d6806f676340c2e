/* SPDX-License-Identifier: BSD-3-Clause */
/* hostrange.h - names in bracket notation: node[01-04,7], dc[1-2]n[1-3]-ib */
#ifndef PLINK_BASE_HOSTS_HOSTRANGE_H
#define PLINK_BASE_HOSTS_HOSTRANGE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_HOSTRANGE_BRACKETS 8  /* in one pattern */
#define PL_HOSTRANGE_CHARS 255   /* bytes in a name */
#define PL_HOSTRANGE_NAMES 65536 /* names of one pattern */

/* A bracket and its present number; borrows the pattern. */
struct pl_hostrange_wheel {
	const char *s, *end; /* the text between the brackets */
	const char *rest;    /* the ranges after the present one, or end */
	int64_t value, last; /* of the present range */
	int width;           /* least number of digits */
};

/* A pattern being expanded; borrows its text, holds no memory. */
struct pl_hostrange {
	const char *s, *end;
	size_t count; /* names not yet returned */
	size_t n_wheels;
	struct pl_hostrange_wheel wheel[PL_HOSTRANGE_BRACKETS];
};

/*
 * Reads the pattern @s (@len bytes, at @place in its input) and counts its
 * names without making any of them, so that a huge range fails at once. Checks
 * only brackets and numbers, not the characters outside the brackets. Leading
 * zeros are kept: [01-12], [098-101]; [1-04] and [001-04] are refused.
 * 0, or -1 with @err set: PL_EINPUT with the place of the fault.
 */
int pl_hostrange_init(struct pl_hostrange *range, const char *s, size_t len, struct pl_place place,
		      struct pl_err *err);

/* Writes the next name to @name; the last bracket counts fastest. False: there are no more
 * names. */
bool pl_hostrange_next(struct pl_hostrange *range, char name[PL_HOSTRANGE_CHARS + 1]);

#endif

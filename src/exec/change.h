/* SPDX-License-Identifier: BSD-3-Clause */
/* change.h - variables of the environment that are to have other values */
#ifndef PLINK_SRC_EXEC_CHANGE_H
#define PLINK_SRC_EXEC_CHANGE_H

#include "base/err.h"

#include <stddef.h>

/* Strings are its own; was is NULL where there is no such variable. */
struct pl_exec_change {
	char *name, *was, *is;
};

/* Start with {0}, end with fini. */
struct pl_changes {
	struct pl_exec_change *v;
	size_t n, room;
};

/* Nothing in the environment changes yet. What a variable has already is a
 * change as well: it is told. 0, or -1: out of memory. */
int pl_changes_add(struct pl_changes *changes, const char *name,
		   const char *value, struct pl_err *err);
int pl_changes_add_number(struct pl_changes *changes, const char *name,
			  int value, struct pl_err *err);

/* Into the environment. 0, or -1: out of memory. */
int pl_changes_make(const struct pl_changes *changes, struct pl_err *err);

void pl_changes_fini(struct pl_changes *changes);

#endif

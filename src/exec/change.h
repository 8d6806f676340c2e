/* SPDX-License-Identifier: BSD-3-Clause */
/* change.h - environment variables that get other values */
#ifndef PLINK_SRC_EXEC_CHANGE_H
#define PLINK_SRC_EXEC_CHANGE_H

#include "base/err.h"

#include <stddef.h>

/* Owns its strings; @was is NULL if the variable is not set. */
struct pl_exec_change {
	char *name, *was, *is;
};

/* Start with {0}, end with fini. */
struct pl_changes {
	struct pl_exec_change *v;
	size_t n, room;
};

/* Records a change without making it yet; also if the variable has that value already, so that it
 * is reported. 0, or -1 with @err set: out of memory. */
int pl_changes_add(struct pl_changes *changes, const char *name, const char *value,
		   struct pl_err *err);
int pl_changes_add_number(struct pl_changes *changes, const char *name, int value,
			  struct pl_err *err);

/* Sets the variables in the environment. 0, or -1 with @err set: out of
 * memory. */
int pl_changes_make(const struct pl_changes *changes, struct pl_err *err);

void pl_changes_fini(struct pl_changes *changes);

#endif

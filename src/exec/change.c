/* SPDX-License-Identifier: BSD-3-Clause */
/* change.c - environment variables that get other values */
#include "config.h"

#include "src/exec/change.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void change_fini(struct pl_exec_change *change)
{
	free(change->name);
	free(change->was);
	free(change->is);
}

int pl_changes_add(struct pl_changes *changes, const char *name, const char *value,
		   struct pl_err *err)
{
	const char *was = getenv(name);
	struct pl_exec_change change = {
		.name = pl_string_copy(name, strlen(name)),
		.was = was ? pl_string_copy(was, strlen(was)) : NULL,
		.is = pl_string_copy(value, strlen(value)),
	};

	if (change.name && change.is && (!was || change.was) &&
	    pl_array_grow((void **)&changes->v, &changes->room, changes->n, sizeof(*changes->v)) ==
		    0) {
		changes->v[changes->n++] = change;
		return 0;
	}
	change_fini(&change);
	return pl_err_nomem(err);
}

int pl_changes_add_number(struct pl_changes *changes, const char *name, int value,
			  struct pl_err *err)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", value);
	return pl_changes_add(changes, name, digits, err);
}

int pl_changes_make(const struct pl_changes *changes, struct pl_err *err)
{
	for (size_t i = 0; i < changes->n; i++)
		if (setenv(changes->v[i].name, changes->v[i].is, 1))
			return pl_err_nomem(err);
	return 0;
}

void pl_changes_fini(struct pl_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		change_fini(&changes->v[i]);
	free(changes->v);
	*changes = (struct pl_changes){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - which index a name has, among thousands */
#ifndef PLINK_BASE_TEXT_NAMES_H
#define PLINK_BASE_TEXT_NAMES_H

#include <stddef.h>

/* A search tree of names. Start with {0}, end with fini. */
struct pl_names {
	void *root;
};

/* Borrows @s (@len bytes), which must stay as it is until fini. 0; 1 where the
 * name is there already; -1 when memory runs out. */
int pl_names_add(struct pl_names *names, const char *s, size_t len,
		 size_t index);

/* The index given to that name, or -1. */
ptrdiff_t pl_names_find(const struct pl_names *names, const char *s,
			size_t len);

void pl_names_fini(struct pl_names *names);

#endif

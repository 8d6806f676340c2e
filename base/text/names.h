/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - find the index of a name among thousands */
#ifndef PLINK_BASE_TEXT_NAMES_H
#define PLINK_BASE_TEXT_NAMES_H

#include <stddef.h>

/* A search tree of names. Start with {0}, end with fini. */
struct pl_names {
	void *root;
};

/* Adds the name @s (@len bytes), which it borrows until fini. 0; 1 if the name
 * is there already, which keeps its index; -1: out of memory. */
int pl_names_add(struct pl_names *names, const char *s, size_t len,
		 size_t index);

/* The index of the name, or -1. */
ptrdiff_t pl_names_find(const struct pl_names *names, const char *s,
			size_t len);

void pl_names_fini(struct pl_names *names);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h - finds a name among thousands, or the one that was probably meant */
#ifndef PLINK_BASE_TEXT_NAMES_H
#define PLINK_BASE_TEXT_NAMES_H

#include <stddef.h>

/* A search tree of names. Start with {0}, end with fini. */
struct pl_names {
	void *root;
};

/* Adds the name @s (@len bytes), which it borrows until fini. 0; 1 if the name is there already,
 * which keeps its index; -1: out of memory. */
int pl_names_add(struct pl_names *names, const char *s, size_t len, size_t index);

/* The index of the name, or -1. */
ptrdiff_t pl_names_find(const struct pl_names *names, const char *s, size_t len);

void pl_names_fini(struct pl_names *names);

/* The name of @n names that takes the fewest edits (letters put in, left out
 * or changed) to make of @word, if these are at most a third of its letters, or
 * NULL. @first is the first name; each is the first member of a struct of
 * @size bytes. Names have less than 64 bytes. */
const char *pl_nearest(const char *word, const void *first, size_t size, size_t n);

#endif

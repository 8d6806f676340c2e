/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.h - the name that was probably meant */
#ifndef PLINK_BASE_TEXT_NEAREST_H
#define PLINK_BASE_TEXT_NEAREST_H

#include <stddef.h>

/* The name of @n names that takes the fewest edits (letters put in, left out
 * or changed) to make of @word, if these are at most a third of its letters, or
 * NULL. @first is the first name; each is the first member of a struct of
 * @size bytes. Names have less than 64 bytes. */
const char *pl_nearest(const char *word, const void *first, size_t size,
		       size_t n);

#endif

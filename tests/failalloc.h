/* SPDX-License-Identifier: BSD-3-Clause */
/* failalloc.h - an allocator that refuses one allocation and counts the
 * others */
#ifndef PLINK_TESTS_FAILALLOC_H
#define PLINK_TESTS_FAILALLOC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * For test programs linked with $(FAILALLOC_WRAP): malloc, calloc and realloc
 * of the program's own objects come by here (not those inside of libc).
 *
 *	for (size_t k = 0; failed; k++) {
 *		failalloc_begin(k);
 *		... call, and release what it gave ...
 *		failed = failalloc_end(&live);
 *	}
 */

/* From now on the allocation number @k (from 0) is refused. */
void failalloc_begin(size_t k);

/* Was one refused since failalloc_begin()? *live becomes the number of blocks allocated since and
 * not yet released. Nothing is refused from now on. */
bool failalloc_end(size_t *live);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.h - arrays whose size product is checked */
#ifndef PLINK_BASE_MEM_H
#define PLINK_BASE_MEM_H

#include <stddef.h>

/* n * size zeroed bytes (at least one byte, so that NULL always means failure);
 * NULL when memory runs out or the product overflows. Release with free(). */
void *pl_array_create(size_t n, size_t size);

/*
 * Makes room for one more element: *array holds @used elements of @size bytes
 * and has room for *room; grows by doubling. 0, or -1 with *array as it was.
 */
int pl_array_grow(void **array, size_t *room, size_t used, size_t size);

/* A copy of @len bytes with a terminating zero; NULL when memory runs out. */
char *pl_string_copy(const char *s, size_t len);

#endif

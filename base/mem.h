/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.h - arrays whose size is checked for overflow */
#ifndef PLINK_BASE_MEM_H
#define PLINK_BASE_MEM_H

#include <stddef.h>

/* n * size zeroed bytes, at least one, so that NULL always means failure: out of memory, or the
 * product overflows. Release with free(). */
void *pl_array_create(size_t n, size_t size);

/*
 * Makes room for one more element in *array, which holds @used elements of @size bytes and has room
 * for *room; grows by doubling. 0, or -1 with *array unchanged.
 */
int pl_array_grow(void **array, size_t *room, size_t used, size_t size);

/* A copy of @len bytes and a terminating zero; NULL: out of memory. Release with free(). */
char *pl_string_copy(const char *s, size_t len);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.c - arrays whose size product is checked */
#include "config.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *pl_array_create(size_t n, size_t size)
{
	if (n == 0 || size == 0)
		return calloc(1, 1);
	return calloc(n, size);
}

int pl_array_grow(void **array, size_t *room, size_t used, size_t size)
{
	size_t want = *room ? *room : 8;
	void *p;

	if (used < *room)
		return 0;
	while (want <= used) {
		if (want > SIZE_MAX / 2)
			return -1;
		want *= 2;
	}
	if (want > SIZE_MAX / size)
		return -1;
	p = realloc(*array, want * size);
	if (!p)
		return -1;
	*array = p;
	*room = want;
	return 0;
}

char *pl_string_copy(const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? malloc(len + 1) : NULL;

	if (!copy)
		return NULL;
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

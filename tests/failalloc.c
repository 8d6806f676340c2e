/* SPDX-License-Identifier: BSD-3-Clause */
/* failalloc.c - an allocator that refuses one allocation and counts the
 * others */
#include "config.h"

#include "tests/failalloc.h"

#include <errno.h>
#include <stdint.h>

/* The linker's --wrap sends a call of malloc to __wrap_malloc, and one of
 * __real_malloc to the allocator. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

static struct {
	bool active, refused;
	size_t left; /* allocations before the one to refuse */
	size_t live;
} state;

void failalloc_begin(size_t k)
{
	state.active = true;
	state.refused = false;
	state.left = k;
	state.live = 0;
}

bool failalloc_end(size_t *live)
{
	state.active = false;
	*live = state.live;
	return state.refused;
}

static bool refuse(void)
{
	if (!state.active || state.refused)
		return false;
	if (state.left-- > 0)
		return false;
	state.refused = true;
	errno = ENOMEM;
	return true;
}

static void *count(void *p)
{
	if (state.active && p)
		state.live++;
	return p;
}

void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return refuse() ? NULL : count(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (refuse())
		return NULL;
	return p ? __real_realloc(p, size) : count(__real_realloc(p, size));
}

void __wrap_free(void *p)
{
	if (state.active && p)
		state.live--;
	__real_free(p);
}

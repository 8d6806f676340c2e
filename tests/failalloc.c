/* SPDX-License-Identifier: BSD-3-Clause */
/* failalloc.c - an allocator that refuses one allocation and counts the
 * others */
#include "config.h"

#include "tests/failalloc.h"

#include <errno.h>
#include <stdint.h>

/* The linker's --wrap sends a call of malloc to __wrap_malloc, and one of __real_malloc to the
 * allocator. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

/* Atomic: threads may allocate at once. */
static struct {
	bool active, refused;
	size_t seen, k; /* allocations; the one to refuse */
	size_t live;
} state;

void failalloc_begin(size_t k)
{
	state.refused = false;
	state.seen = 0;
	state.k = k;
	state.live = 0;
	__atomic_store_n(&state.active, true, __ATOMIC_SEQ_CST);
}

bool failalloc_end(size_t *live)
{
	__atomic_store_n(&state.active, false, __ATOMIC_SEQ_CST);
	*live = state.live;
	return state.refused;
}

static bool is_active(void)
{
	return __atomic_load_n(&state.active, __ATOMIC_SEQ_CST);
}

static bool refuse(void)
{
	if (!is_active() || __atomic_fetch_add(&state.seen, 1, __ATOMIC_SEQ_CST) != state.k)
		return false;
	state.refused = true;
	errno = ENOMEM;
	return true;
}

static void *count(void *p)
{
	if (is_active() && p)
		__atomic_fetch_add(&state.live, 1, __ATOMIC_SEQ_CST);
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
	if (is_active() && p)
		__atomic_fetch_sub(&state.live, 1, __ATOMIC_SEQ_CST);
	__real_free(p);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - what a process has called, counted */
#include "config.h"

#include "shim/stats/table.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Open addressing: never more than three of four rows are taken, so that one of the next few is
 * free. */
#define N_ROWS 512
#define ROW_BITS 9

struct table {
	struct pl_stats_row row[N_ROWS];
	struct pl_stats_row other;
	int n_used;
	bool is_taken; /* by a thread that lives; atomic */
	struct table *next;
};

static struct table *tables; /* atomic; grows only */
static __thread struct table *own __attribute__((tls_model("initial-exec")));

/* Of threads for which there was no memory; atomic. */
static struct pl_stats_row homeless;

static pthread_key_t at_end; /* of a thread */
static pthread_once_t once = PTHREAD_ONCE_INIT;

uint64_t pl_stats_key_size_min(uint64_t key)
{
	const unsigned int class = key & 0xff;

	if (key == PL_STATS_OTHER || class == 0)
		return 0;
	return UINT64_C(1) << (class - 1);
}

uint64_t pl_stats_key_size_max(uint64_t key)
{
	const unsigned int class = key & 0xff;

	return class >= 64 ? UINT64_MAX : (UINT64_C(1) << class) - 1;
}

static void leave(void *table)
{
	own = NULL;
	__atomic_store_n(&((struct table *)table)->is_taken, false, __ATOMIC_RELEASE);
}

static void make_key(void)
{
	pthread_key_create(&at_end, leave);
}

static struct table *take_left(void)
{
	struct table *t = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);

	while (t && __atomic_exchange_n(&t->is_taken, true, __ATOMIC_ACQUIRE))
		t = t->next;
	return t;
}

static struct table *create(void)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->is_taken = true;
	t->next = __atomic_load_n(&tables, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&tables, &t->next, t, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return t;
}

static struct table *find_own(void)
{
	struct table *t = take_left();

	if (!t)
		t = create();
	if (!t)
		return NULL;
	pthread_once(&once, make_key);
	pthread_setspecific(at_end, t);
	own = t;
	return t;
}

/* The row of that key, or the one for all others. */
static struct pl_stats_row *find(struct table *t, uint64_t key)
{
	/* of a product, the upper bits depend on all bits of the key */
	size_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - ROW_BITS);

	while (t->row[i].key != key) {
		if (!t->row[i].key) {
			if (t->n_used == PL_STATS_ROWS_MAX)
				return &t->other;
			t->n_used++;
			__atomic_store_n(&t->row[i].key, key, __ATOMIC_RELEASE);
			break;
		}
		i = (i + 1) % N_ROWS;
	}
	return &t->row[i];
}

static void count_homeless(uint64_t calls, uint64_t bytes, uint64_t ticks)
{
	__atomic_fetch_add(&homeless.calls, calls, __ATOMIC_RELAXED);
	__atomic_fetch_add(&homeless.bytes, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&homeless.ticks, ticks, __ATOMIC_RELAXED);
}

/* No other thread adds to it, but one may read it. */
static void add(uint64_t *sum, uint64_t n)
{
	__atomic_store_n(sum, *sum + n, __ATOMIC_RELAXED);
}

static inline void count(uint64_t key, uint64_t calls, uint64_t bytes, uint64_t ticks)
{
	struct table *t = own;
	struct pl_stats_row *row;

	if (__builtin_expect(!t, 0))
		t = find_own();
	if (__builtin_expect(!t, 0)) {
		count_homeless(calls, bytes, ticks);
		return;
	}
	row = find(t, key);
	add(&row->calls, calls);
	add(&row->bytes, bytes);
	add(&row->ticks, ticks);
}

void pl_stats_count(uint64_t key, uint64_t bytes, uint64_t ticks)
{
	count(key, 1, bytes, ticks);
}

void pl_stats_add_time(uint64_t key, uint64_t ticks)
{
	count(key, 0, 0, ticks);
}

typedef void give_fn(const struct pl_stats_row *row, void *arg);

/* As it is at this moment. */
static void give_row(const struct pl_stats_row *from, uint64_t key, give_fn *give, void *arg)
{
	const struct pl_stats_row row = {
		.key = key,
		.calls = __atomic_load_n(&from->calls, __ATOMIC_RELAXED),
		.bytes = __atomic_load_n(&from->bytes, __ATOMIC_RELAXED),
		.ticks = __atomic_load_n(&from->ticks, __ATOMIC_RELAXED),
	};

	if (row.calls || row.ticks)
		give(&row, arg);
}

void pl_stats_each(give_fn *give, void *arg)
{
	const struct table *t = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);
	uint64_t key;

	for (; t; t = t->next) {
		for (size_t i = 0; i < N_ROWS; i++) {
			key = __atomic_load_n(&t->row[i].key, __ATOMIC_ACQUIRE);
			if (key)
				give_row(&t->row[i], key, give, arg);
		}
		give_row(&t->other, PL_STATS_OTHER, give, arg);
	}
	give_row(&homeless, PL_STATS_OTHER, give, arg);
}

void pl_stats_forget(void)
{
	homeless = (struct pl_stats_row){0};
	for (struct table *t = tables; t; t = t->next) {
		memset(t->row, 0, sizeof(t->row));
		t->other = (struct pl_stats_row){0};
		t->n_used = 0;
		t->is_taken = t == own;
	}
}

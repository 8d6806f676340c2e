/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-heap.c - packets come off by deadline, equal ones in order */
#include "config.h"

#include "base/rng.h"
#include "tests/tap.h"
#include "tests/testbed/network/heap.h"

#include <stdlib.h>

#define N 5000

static struct tb_packet *make(int64_t due_ns, uint32_t number)
{
	struct tb_packet *packet = calloc(1, sizeof(*packet));

	if (packet) {
		packet->due_ns = due_ns;
		packet->len = number;
	}
	return packet;
}

static void test_empty(void)
{
	struct tb_heap heap = {0};

	ok(!tb_heap_top(&heap), "an empty heap has no top");
	tb_heap_fini(&heap);
	ok(heap.n == 0, "and ends");
}

/* Few different deadlines, so that most are equal to others. */
static void test_order(void)
{
	struct tb_heap heap = {0};
	struct pl_rng rng;
	int64_t due = -1;
	uint32_t number = 0;
	int wrong = 0, failed = 0;

	pl_rng_init(&rng, 1, 0);
	for (uint32_t i = 0; i < N; i++) {
		const int64_t ns = (int64_t)pl_rng_below(&rng, 50);

		failed += tb_heap_push_take(&heap, make(ns, i));
	}
	is_int(failed, 0, "all are taken");
	while (tb_heap_top(&heap)) {
		struct tb_packet *p = tb_heap_pop(&heap);

		wrong += p->due_ns < due;
		wrong += p->due_ns == due && p->len < number;
		due = p->due_ns;
		number = p->len;
		free(p);
	}
	is_int(wrong, 0, "by deadline, then first in, first out");
	tb_heap_fini(&heap);
}

/* A mixture of pushing and popping against the slow way. */
static void test_mixed(void)
{
	struct tb_heap heap = {0};
	struct pl_rng rng;
	int64_t in[N];
	size_t n = 0;
	int wrong = 0;

	pl_rng_init(&rng, 2, 0);
	for (uint32_t i = 0; i < N; i++) {
		if (n == 0 || pl_rng_below(&rng, 3)) {
			in[n] = (int64_t)pl_rng_below(&rng, 1000);
			tb_heap_push_take(&heap, make(in[n], i));
			n++;
		} else {
			struct tb_packet *p = tb_heap_pop(&heap);
			size_t least = 0;

			for (size_t j = 1; j < n; j++)
				if (in[j] < in[least])
					least = j;
			wrong += in[least] != p->due_ns;
			in[least] = in[--n];
			free(p);
		}
	}
	is_int(wrong, 0, "the least is on top at any time");
	is_int((int64_t)heap.n, (int64_t)n, "none is lost");
	tb_heap_fini(&heap);
}

int main(void)
{
	test_empty();
	test_order();
	test_mixed();
	return done_testing();
}

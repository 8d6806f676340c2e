/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.c - packets on their way, the one that is due first on top */
#include "config.h"

#include "tests/testbed/network/heap.h"

#include "base/mem.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool before(const struct tb_packet *a, const struct tb_packet *b)
{
	if (a->due_ns != b->due_ns)
		return a->due_ns < b->due_ns;
	return a->order < b->order;
}

int tb_heap_push_take(struct tb_heap *heap, struct tb_packet *packet)
{
	void *grown = heap->v;
	size_t i;

	if (pl_array_grow(&grown, &heap->room, heap->n, sizeof(*heap->v)))
		return -1;
	heap->v = grown;
	packet->order = heap->pushed++;
	for (i = heap->n++; i > 0; i = (i - 1) / 2) {
		if (!before(packet, heap->v[(i - 1) / 2]))
			break;
		heap->v[i] = heap->v[(i - 1) / 2];
	}
	heap->v[i] = packet;
	return 0;
}

const struct tb_packet *tb_heap_top(const struct tb_heap *heap)
{
	return heap->n ? heap->v[0] : NULL;
}

struct tb_packet *tb_heap_pop(struct tb_heap *heap)
{
	struct tb_packet *top, *last;
	size_t i = 0;

	assert(heap->n > 0);
	top = heap->v[0];
	last = heap->v[--heap->n];
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= heap->n)
			break;
		if (child + 1 < heap->n && before(heap->v[child + 1], heap->v[child]))
			child++;
		if (!before(heap->v[child], last))
			break;
		heap->v[i] = heap->v[child];
		i = child;
	}
	if (heap->n)
		heap->v[i] = last;
	return top;
}

void tb_heap_fini(struct tb_heap *heap)
{
	for (size_t i = 0; i < heap->n; i++)
		free(heap->v[i]);
	free(heap->v);
	memset(heap, 0, sizeof(*heap));
}

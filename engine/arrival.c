/* SPDX-License-Identifier: BSD-3-Clause */
/* arrival.c - chunks that have come, and memory for the next ones */
#include "config.h"

#include "engine/arrival.h"

#include <stdlib.h>

#define SPARE_MAX 64

static struct pl_chunk_arrival *take(struct pl_arrivals *spare)
{
	struct pl_chunk_arrival *a = spare ? spare->first : NULL;

	if (a) {
		spare->first = a->next;
		spare->n--;
	}
	return a;
}

void pl_arrivals_fini(struct pl_arrivals *spare)
{
	struct pl_chunk_arrival *a;

	while ((a = take(spare)))
		free(a);
}

struct pl_chunk_arrival *pl_chunk_arrival_create(struct pl_arrivals *spare, size_t bytes)
{
	struct pl_chunk_arrival *a = take(spare);

	if (a && a->room >= bytes) {
		a->next = NULL;
		return a;
	}
	free(a);
	a = malloc(sizeof(*a) + bytes);
	if (a)
		*a = (struct pl_chunk_arrival){.data = (unsigned char *)(a + 1), .room = bytes};
	return a;
}

void pl_chunk_arrival_free(struct pl_arrivals *spare, struct pl_chunk_arrival *a)
{
	if (a->is_lent)
		return;
	if (!spare || spare->n == SPARE_MAX) {
		free(a);
		return;
	}
	a->next = spare->first;
	spare->first = a;
	spare->n++;
}

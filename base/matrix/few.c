/* SPDX-License-Identifier: BSD-3-Clause */
/* few.c - the cells of a layer of which most are missing: a table of places */
#include "config.h"

#include "base/matrix/few.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define ROOM_LEAST 64
#define SPREAD UINT64_C(0x9e3779b97f4a7c15) /* 2^64 by the golden ratio */

struct pl_few *pl_few_create(void)
{
	return calloc(1, sizeof(struct pl_few));
}

void pl_few_destroy(struct pl_few *few)
{
	if (!few)
		return;
	free(few->key);
	free(few->value);
	free(few);
}

/* Where the key stands, or would; the room is a power of two, and some is
 * free. */
static size_t find(const struct pl_few *few, uint32_t key)
{
	size_t k = (size_t)(key * SPREAD >> 32) & (few->room - 1);

	while (few->key[k] && few->key[k] != key)
		k = (k + 1) & (few->room - 1);
	return k;
}

double pl_few_get(const struct pl_few *few, size_t at)
{
	size_t k;

	if (few->n == 0)
		return NAN;
	k = find(few, (uint32_t)at + 1);
	return few->key[k] ? few->value[k] : NAN;
}

static int grow(struct pl_few *few)
{
	struct pl_few more = {.room = few->room ? 2 * few->room : ROOM_LEAST};

	more.key = pl_array_create(more.room, sizeof(*more.key));
	more.value = pl_array_create(more.room, sizeof(*more.value));
	if (!more.key || !more.value) {
		free(more.key);
		free(more.value);
		return -1;
	}
	for (size_t i = 0; i < few->room; i++) {
		size_t k;

		if (!few->key[i])
			continue;
		k = find(&more, few->key[i]);
		more.key[k] = few->key[i];
		more.value[k] = few->value[i];
	}
	more.n = few->n;
	free(few->key);
	free(few->value);
	*few = more;
	return 0;
}

int pl_few_set(struct pl_few *few, size_t at, double value)
{
	size_t k;

	if (few->n >= few->room - few->room / 4 && grow(few))
		return -1;
	k = find(few, (uint32_t)at + 1);
	few->n += few->key[k] == 0;
	few->key[k] = (uint32_t)at + 1;
	few->value[k] = value;
	return 0;
}

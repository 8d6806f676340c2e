/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbours.c - for each host, the few that are cheapest to stand next to
 * it */
#include "config.h"

#include "solver/neighbours.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <stdlib.h>
#include <string.h>

/* A host on a list being made. */
struct entry {
	double key;
	size_t apart; /* places after the list's owner, modulo n */
	uint32_t host;
};

/* Costs from one host. */
struct view {
	const double *row, *weight;
	size_t n, owner;
};

static bool before(const struct entry *a, const struct entry *b)
{
	return a->key < b->key || (a->key == b->key && a->apart < b->apart);
}

/* Keeps the list sorted and at most k long. Returns its new length. */
static size_t insert(struct entry *list, size_t used, size_t k, struct entry e)
{
	size_t at;

	if (used == k && !before(&e, &list[k - 1]))
		return used;
	at = used < k ? used++ : k - 1;
	for (; at > 0 && before(&e, &list[at - 1]); at--)
		list[at] = list[at - 1];
	list[at] = e;
	return used;
}

/* Hosts from..to on the list; gives its length. */
static size_t list_some(const struct view *v, size_t from, size_t to, struct entry *list,
			size_t used, size_t k)
{
	for (size_t h = from; h < to; h++) {
		const double key = v->row[h] + (v->weight ? v->weight[h] : 0);
		const size_t apart = h > v->owner ? h - v->owner : h + v->n - v->owner;

		if (used == k && key > list[k - 1].key)
			continue;
		used = insert(list, used, k, (struct entry){key, apart, (uint32_t)h});
	}
	return used;
}

static void list_of(const struct view *v, struct entry *list, size_t k, uint32_t *out, double *cost)
{
	const size_t used = list_some(v, v->owner + 1, v->n, list, 0, k);

	list_some(v, 0, v->owner, list, used, k);
	for (size_t i = 0; i < k; i++)
		list[i].key = v->row[list[i].host];
	/* searches stop at the first neighbour that is too expensive: sort by cost */
	for (size_t i = 0; i < k; i++)
		insert(list, i, k, list[i]);
	for (size_t i = 0; i < k; i++) {
		out[i] = list[i].host;
		cost[i] = list[i].key;
	}
}

int pl_neighbours_init(struct pl_neighbours *nb, const double *c, size_t n, size_t k,
		       const double *weight, struct pl_err *err)
{
	struct view v = {.weight = weight, .n = n};
	struct entry *list;

	memset(nb, 0, sizeof(*nb));
	nb->k = n < 2 ? 0 : k < n - 1 ? k : n - 1;
	nb->symmetric = pl_costs_symmetric(c, n);
	list = pl_array_create(nb->k + 1, sizeof(*list));
	nb->out = pl_array_create(n * nb->k, sizeof(*nb->out));
	nb->cost = pl_array_create(n * nb->k, sizeof(*nb->cost));
	if (!list || !nb->out || !nb->cost) {
		free(list);
		pl_neighbours_fini(nb);
		return pl_err_nomem(err);
	}
	for (v.owner = 0; nb->k && v.owner < n; v.owner++) {
		v.row = c + v.owner * n;
		list_of(&v, list, nb->k, nb->out + v.owner * nb->k, nb->cost + v.owner * nb->k);
	}
	free(list);
	return 0;
}

void pl_neighbours_fini(struct pl_neighbours *nb)
{
	free(nb->out);
	free(nb->cost);
	memset(nb, 0, sizeof(*nb));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* assign.c - assigns hosts to groups of bounded sizes at the least cost */
#include "config.h"

#include "topology/assign.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* More than any path costs: k groups of PL_ASSIGN_COST_MAX. */
#define FILL ((int64_t)1 << 52)
#define NOWHERE INT64_MAX

/*
 * Hosts are assigned one after the other, each along the cheapest path: into a group, one host of
 * which moves into another group, and so on, until a group has room. A group that lacks hosts costs
 * FILL for each of them.
 */
struct assigning {
	const int64_t *cost;
	size_t n, k;
	struct pl_assign_sizes sizes;
	size_t *group;  /* [n] */
	size_t *member; /* [k * n]: the hosts of each group */
	size_t *size;   /* [k] */
	/* [k * k] from group to group: what the cheapest move costs, and which host it is */
	int64_t *move;
	size_t *mover;
	int64_t *way; /* [k] the cost of getting there */
	size_t *from; /* [k] by way of which group; k: directly */
};

static int64_t extra(const struct assigning *s, size_t i, size_t to)
{
	return s->cost[i * s->k + to] - s->cost[i * s->k + s->group[i]];
}

/* Is it cheaper to move host i out of its group? Of equals the first stays. */
static void offer(struct assigning *s, size_t i)
{
	const size_t a = s->group[i];

	for (size_t b = 0; b < s->k; b++)
		if (b != a && extra(s, i, b) < s->move[a * s->k + b]) {
			s->move[a * s->k + b] = extra(s, i, b);
			s->mover[a * s->k + b] = i;
		}
}

static void join(struct assigning *s, size_t i, size_t a)
{
	s->group[i] = a;
	s->member[a * s->n + s->size[a]++] = i;
	offer(s, i);
}

static void leave(struct assigning *s, size_t i)
{
	const size_t a = s->group[i];
	size_t *member = s->member + a * s->n, at = 0;

	while (member[at] != i)
		at++;
	member[at] = member[--s->size[a]];
	for (size_t b = 0; b < s->k; b++)
		s->move[a * s->k + b] = NOWHERE;
	for (size_t m = 0; m < s->size[a]; m++)
		offer(s, member[m]);
}

/* way[] for host @i, by Bellman and Ford: there is no cycle that pays. */
static void find_ways(struct assigning *s, size_t i)
{
	bool changed = true;

	for (size_t a = 0; a < s->k; a++) {
		s->way[a] = s->cost[i * s->k + a];
		s->from[a] = s->k;
	}
	while (changed) {
		changed = false;
		for (size_t a = 0; a < s->k; a++)
			for (size_t b = 0; b < s->k; b++) {
				const int64_t move = s->move[a * s->k + b];

				if (move == NOWHERE || s->way[a] + move >= s->way[b])
					continue;
				s->way[b] = s->way[a] + move;
				s->from[b] = a;
				changed = true;
			}
	}
}

/* The group at which the cheapest path ends. */
static size_t cheapest_end(const struct assigning *s)
{
	int64_t least = NOWHERE;
	size_t end = 0;

	for (size_t a = 0; a < s->k; a++) {
		const int64_t pays = s->size[a] < s->sizes.least ? FILL : 0;

		if (s->size[a] < s->sizes.most && s->way[a] - pays < least) {
			least = s->way[a] - pays;
			end = a;
		}
	}
	return end;
}

/* Moves are made from the end of the path to its beginning, since the hosts to be moved were chosen
 * for the groups as they are. */
static void come(struct assigning *s, size_t i)
{
	size_t a;

	find_ways(s, i);
	for (a = cheapest_end(s); s->from[a] != s->k; a = s->from[a]) {
		const size_t mover = s->mover[s->from[a] * s->k + a];

		leave(s, mover);
		join(s, mover, a);
	}
	join(s, i, a);
}

int pl_assign(const int64_t *cost, size_t n, size_t k, struct pl_assign_sizes sizes, size_t *group,
	      struct pl_err *err)
{
	struct assigning s = {.cost = cost, .n = n, .k = k, .sizes = sizes, .group = group};
	int rc = -1;

	if (k < 1 || k > PL_ASSIGN_GROUPS_MAX || sizes.least > n / k ||
	    sizes.most < (n + k - 1) / k)
		return pl_err_set(err, PL_EUSAGE,
				  "%zu hosts do not fit into %zu groups of %zu to %zu", n, k,
				  sizes.least, sizes.most);
	s.member = pl_array_create(n, k * sizeof(*s.member));
	s.size = pl_array_create(k, sizeof(*s.size));
	s.move = pl_array_create(k, k * sizeof(*s.move));
	s.mover = pl_array_create(k, k * sizeof(*s.mover));
	s.way = pl_array_create(k, sizeof(*s.way));
	s.from = pl_array_create(k, sizeof(*s.from));
	if (!s.member || !s.size || !s.move || !s.mover || !s.way || !s.from) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t p = 0; p < k * k; p++)
		s.move[p] = NOWHERE;
	for (size_t i = 0; i < n; i++)
		come(&s, i);
	rc = 0;
out:
	free(s.member);
	free(s.size);
	free(s.move);
	free(s.mover);
	free(s.way);
	free(s.from);
	return rc;
}

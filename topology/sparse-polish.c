/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-polish.c - measures neighbours of neighbours */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 8
#define NEAREST 6 /* of a host, whose nearest are looked at */
#define AT_ONCE 4 /* pairs of a host in a round */
#define ENOUGH 16 /* a host knows its neighbours when so many are as near */

struct near {
	uint32_t host;
	float distance;
};

/* Puts x into the list v[*n] of at most @most, sorted by distance, unless it is there. */
static void insert(struct near *v, size_t *n, size_t most, struct near x)
{
	size_t k = *n;

	for (size_t i = 0; i < *n; i++)
		if (v[i].host == x.host)
			return;
	if (k == most) {
		if (x.distance >= v[k - 1].distance)
			return;
		k--;
	} else {
		++*n;
	}
	for (; k > 0 && v[k - 1].distance > x.distance; k--)
		v[k] = v[k - 1];
	v[k] = x;
}

static size_t find_nearest(const struct pl_sparse *s, size_t host, struct near *v, size_t most)
{
	uint32_t at = s->pairs.head[host];
	size_t n = 0;

	while (at != PL_SPARSE_END) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		if (!isnan(d))
			insert(v, &n, most, (struct near){(uint32_t)other, (float)d});
	}
	return n;
}

/* Hosts whose neighbours' neighbours might be as near as what it knows. */
static int polish_host(struct pl_sparse *s, size_t host)
{
	struct near own[ENOUGH], next[NEAREST], want[AT_ONCE];
	const size_t n = find_nearest(s, host, own, ENOUGH);
	size_t n_want = 0;

	for (size_t i = 0; i < n && i < NEAREST; i++) {
		const size_t m = find_nearest(s, own[i].host, next, NEAREST);

		for (size_t k = 0; k < m; k++) {
			const float most = next[k].distance > own[i].distance ? next[k].distance
									      : own[i].distance;

			if (next[k].host == host || s->host[next[k].host].gone ||
			    (n == ENOUGH && most >= own[n - 1].distance) ||
			    s->pairs.degree[next[k].host] >= s->options.per_host ||
			    pl_sparse_pairs_find(&s->pairs, host, next[k].host))
				continue;
			insert(want, &n_want, AT_ONCE, (struct near){next[k].host, most});
		}
	}
	for (size_t k = 0; k < n_want; k++)
		if (s->pairs.degree[host] < s->options.per_host &&
		    pl_sparse_ask(s, host, want[k].host))
			return -1;
	return 0;
}

int pl_sparse_polish(struct pl_sparse *s)
{
	if (s->n_polished++ >= ROUNDS)
		return 0;
	for (size_t i = 0; i < s->n; i++)
		if (!s->host[i].gone && polish_host(s, i))
			return -1;
	return 0;
}

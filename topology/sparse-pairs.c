/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-pairs.c - which pairs were asked for, and what is known of them */
#include "config.h"

#include "topology/sparse-pairs.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

int pl_sparse_pairs_init(struct pl_sparse_pairs *p, size_t n_hosts)
{
	*p = (struct pl_sparse_pairs){.n_hosts = n_hosts};
	p->head = pl_array_create(n_hosts, sizeof(*p->head));
	p->degree = pl_array_create(n_hosts, sizeof(*p->degree));
	if (!p->head || !p->degree)
		return -1;
	for (size_t i = 0; i < n_hosts; i++)
		p->head[i] = PL_SPARSE_END;
	return 0;
}

void pl_sparse_pairs_fini(struct pl_sparse_pairs *p)
{
	free(p->edge);
	free(p->head);
	free(p->degree);
	*p = (struct pl_sparse_pairs){0};
}

uint32_t pl_sparse_pairs_walk(const struct pl_sparse_pairs *p, size_t host, uint32_t at,
			      size_t *other, double *distance)
{
	const struct pl_sparse_edge *e = &p->edge[at];
	const int own = e->host[0] == host ? 0 : 1;

	*other = e->host[1 - own];
	*distance = (double)e->distance;
	return e->next[own];
}

struct pl_sparse_edge *pl_sparse_pairs_find(const struct pl_sparse_pairs *p, size_t a, size_t b)
{
	const size_t from = p->degree[a] < p->degree[b] ? a : b;
	const size_t to = from == a ? b : a;
	uint32_t at = p->head[from];

	while (at != PL_SPARSE_END) {
		const uint32_t here = at;
		size_t other;
		double distance;

		at = pl_sparse_pairs_walk(p, from, at, &other, &distance);
		if (other == to)
			return &p->edge[here];
	}
	return NULL;
}

int pl_sparse_pairs_add(struct pl_sparse_pairs *p, size_t a, size_t b)
{
	struct pl_sparse_edge *e;

	if (p->n == PL_SPARSE_END ||
	    pl_array_grow((void **)&p->edge, &p->room, p->n, sizeof(*p->edge)))
		return -1;
	e = &p->edge[p->n];
	*e = (struct pl_sparse_edge){
		.host = {(uint32_t)a, (uint32_t)b},
		.next = {p->head[a], p->head[b]},
		.distance = NAN,
	};
	p->head[a] = p->head[b] = (uint32_t)p->n++;
	p->degree[a]++;
	p->degree[b]++;
	return 0;
}

double pl_sparse_pairs_get(const struct pl_sparse_pairs *p, size_t a, size_t b)
{
	const struct pl_sparse_edge *e = pl_sparse_pairs_find(p, a, b);

	return e ? (double)e->distance : NAN;
}

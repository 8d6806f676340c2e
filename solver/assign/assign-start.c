/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-start.c - an assignment made position by position */
#include "config.h"

#include "solver/assign/assign-start.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define NONE SIZE_MAX

/* A position that exchanges so much with those that have a host; entries whose
 * weight has grown since stay behind and are passed over. */
struct entry {
	double weight;
	uint32_t pos;
};

struct start {
	const struct pl_assign_flows *flows;
	const struct pl_neighbours *nb;
	size_t *host_at;    /* [n_pos], NONE: not yet */
	size_t *left;       /* [n_hosts] free slots */
	double *weight;     /* [n_pos] exchanged with those that have a host */
	struct entry *heap; /* a binary heap, the largest weight first */
	size_t n_heap, room;
	size_t next_host; /* hosts before it are full */
};

static bool before(struct entry a, struct entry b)
{
	return a.weight > b.weight || (a.weight == b.weight && a.pos < b.pos);
}

static int push(struct start *s, struct entry e, struct pl_err *err)
{
	size_t k = s->n_heap;

	if (pl_array_grow((void **)&s->heap, &s->room, s->n_heap,
			  sizeof(*s->heap)))
		return pl_err_nomem(err);
	s->n_heap++;
	for (; k > 0 && before(e, s->heap[(k - 1) / 2]); k = (k - 1) / 2)
		s->heap[k] = s->heap[(k - 1) / 2];
	s->heap[k] = e;
	return 0;
}

/* The heap must not be empty. */
static struct entry pop(struct start *s)
{
	const struct entry top = s->heap[0], e = s->heap[--s->n_heap];
	size_t k = 0, child;

	while ((child = 2 * k + 1) < s->n_heap) {
		if (child + 1 < s->n_heap &&
		    before(s->heap[child + 1], s->heap[child]))
			child++;
		if (!before(s->heap[child], e))
			break;
		s->heap[k] = s->heap[child];
		k = child;
	}
	s->heap[k] = e;
	return top;
}

/* What @pos costs on @host with the peers that have a host. */
static double cost_at(const struct start *s, size_t pos, size_t host)
{
	const struct pl_assign_flows *f = s->flows;
	double sum = 0;

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];
		const size_t there = s->host_at[x->pos];

		if (there != NONE)
			sum += pl_assign_hop(f, host, there, x->out) +
			       pl_assign_hop(f, there, host, x->in);
	}
	return sum;
}

struct best {
	size_t host;
	double cost;
};

static void try_host(const struct start *s, size_t pos, size_t host,
		     struct best *best)
{
	double cost;

	if (s->left[host] == 0 || host == best->host)
		return;
	cost = cost_at(s, pos, host);
	if (cost < best->cost)
		*best = (struct best){host, cost};
}

static size_t choose(struct start *s, size_t pos)
{
	const struct pl_assign_flows *f = s->flows;
	struct best best = {NONE, INFINITY};

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const size_t there = s->host_at[f->peer[k].pos];

		if (there == NONE)
			continue;
		try_host(s, pos, there, &best);
		for (size_t i = 0; i < s->nb->k; i++)
			try_host(s, pos, s->nb->out[there * s->nb->k + i],
				 &best);
	}
	if (best.host != NONE)
		return best.host;
	while (s->left[s->next_host] == 0)
		s->next_host++;
	return s->next_host;
}

static int place(struct start *s, size_t pos, struct pl_err *err)
{
	const struct pl_assign_flows *f = s->flows;
	const size_t host = choose(s, pos);

	s->host_at[pos] = host;
	s->left[host]--;
	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];

		if (s->host_at[x->pos] != NONE)
			continue;
		s->weight[x->pos] += pl_assign_exchanged(f, x);
		if (push(s, (struct entry){s->weight[x->pos], x->pos}, err))
			return -1;
	}
	return 0;
}

static int place_all(struct start *s, struct pl_err *err)
{
	for (size_t pos = 0; pos < s->flows->n_pos; pos++) {
		if (s->host_at[pos] == NONE && place(s, pos, err))
			return -1;
		while (s->n_heap > 0) {
			const size_t next = pop(s).pos;

			if (s->host_at[next] == NONE && place(s, next, err))
				return -1;
		}
	}
	return 0;
}

int pl_assign_start(const struct pl_assign_flows *flows,
		    const struct pl_neighbours *nb, size_t *host_at,
		    struct pl_err *err)
{
	struct start s = {
		.flows = flows,
		.nb = nb,
		.host_at = host_at,
		.left = pl_array_create(flows->n_hosts, sizeof(*s.left)),
		.weight = pl_array_create(flows->n_pos, sizeof(*s.weight)),
	};
	int rc = -1;

	for (size_t p = 0; p < flows->n_pos; p++)
		host_at[p] = NONE;
	for (size_t h = 0; s.left && h < flows->n_hosts; h++)
		s.left[h] = flows->slot[h + 1] - flows->slot[h];
	if (s.left && s.weight)
		rc = place_all(&s, err);
	else
		pl_err_nomem(err);
	free(s.left);
	free(s.weight);
	free(s.heap);
	return rc;
}

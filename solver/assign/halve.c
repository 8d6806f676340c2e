/* SPDX-License-Identifier: BSD-3-Clause */
/* halve.c - two positions each become one, and two slots */
#include "config.h"

#include "solver/assign/halve.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* May the two be a pair? */
static bool may_pair(const struct pl_assign_half *half, const size_t *host_at, size_t p, size_t q)
{
	return half->pair_of[q] == NONE && (!host_at || host_at[p] == host_at[q]);
}

/* The peer that a position without a pair exchanges most with; NONE: no peer is left. */
static uint32_t nearest(const struct pl_assign_flows *f, const struct pl_assign_half *half,
			const size_t *host_at, size_t p)
{
	uint32_t best = NONE;
	double most = 0;

	for (size_t k = f->first[p]; k < f->first[p + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];
		const double exchanged = pl_assign_exchanged(f, x);

		if (exchanged > most && may_pair(half, host_at, p, x->pos)) {
			most = exchanged;
			best = x->pos;
		}
	}
	return best;
}

/* The same among the peers of its peers. */
static uint32_t second_nearest(const struct pl_assign_flows *f, const struct pl_assign_half *half,
			       const size_t *host_at, size_t p)
{
	for (size_t k = f->first[p]; k < f->first[p + 1]; k++) {
		const size_t mid = f->peer[k].pos;

		for (size_t i = f->first[mid]; i < f->first[mid + 1]; i++)
			if (may_pair(half, host_at, p, f->peer[i].pos))
				return f->peer[i].pos;
	}
	return NONE;
}

/* Pairs by flows; those without a peer wait, one for each host (or one in all), for the next of
 * their kind. @waiting: [n_hosts], positions. */
static uint32_t pair(const struct pl_assign_flows *f, const size_t *host_at,
		     struct pl_assign_half *half, uint32_t *waiting)
{
	uint32_t n = 0;

	for (size_t p = 0; p < f->n_pos; p++)
		half->pair_of[p] = NONE;
	for (size_t h = 0; h < f->n_hosts; h++)
		waiting[h] = NONE;
	for (size_t p = 0; p < f->n_pos; p++) {
		uint32_t *w = &waiting[host_at ? host_at[p] : 0], q;

		if (half->pair_of[p] != NONE)
			continue;
		half->pair_of[p] = n; /* second_nearest must not find it */
		q = nearest(f, half, host_at, p);
		if (q == NONE)
			q = second_nearest(f, half, host_at, p);
		if (q != NONE) {
			half->pair_of[q] = n++;
		} else if (*w != NONE) {
			half->pair_of[p] = half->pair_of[*w];
			*w = NONE;
		} else {
			*w = (uint32_t)p;
			n++;
		}
	}
	return n;
}

/* Do the pairs fit? With host_at[], each where it is. */
static bool fits(const struct pl_assign_flows *f, const size_t *slots, size_t n_pairs,
		 const size_t *host_at, size_t *used)
{
	size_t sum = 0;

	for (size_t h = 0; h < f->n_hosts; h++)
		sum += slots[h];
	if (sum < n_pairs || !host_at)
		return sum >= n_pairs;
	memset(used, 0, f->n_hosts * sizeof(*used));
	for (size_t p = 0; p < f->n_pos; p++)
		used[host_at[p]]++;
	for (size_t h = 0; h < f->n_hosts; h++)
		if ((used[h] + 1) / 2 > slots[h])
			return false;
	return true;
}

static int make_flows(const struct pl_assign_flows *f, const size_t *slots, size_t n_pairs,
		      struct pl_assign_half *half, struct pl_err *err)
{
	const struct pl_costs costs = {.n = f->n_hosts, .c = f->c, .per_byte = f->per_byte};
	struct pl_assign_flow *flow = pl_array_create(f->first[f->n_pos], sizeof(*flow));
	struct pl_assign_problem pairs = {
		.n_pos = n_pairs,
		.flow = flow,
		.costs = &costs,
		.slots = slots,
	};
	int rc;

	if (!flow)
		return pl_err_nomem(err);
	for (size_t p = 0; p < f->n_pos; p++)
		for (size_t k = f->first[p]; k < f->first[p + 1]; k++)
			flow[pairs.n_flows++] =
				(struct pl_assign_flow){.src = half->pair_of[p],
							.dst = half->pair_of[f->peer[k].pos],
							.messages = f->peer[k].out.messages,
							.bytes = f->peer[k].out.bytes};
	rc = pl_assign_flows_init(&half->flows, &pairs, NULL, err);
	free(flow);
	return rc;
}

int pl_assign_halve(const struct pl_assign_flows *f, const size_t *host_at,
		    struct pl_assign_half *half, bool *done, struct pl_err *err)
{
	size_t *slots = pl_array_create(f->n_hosts, sizeof(*slots));
	size_t *used = pl_array_create(f->n_hosts, sizeof(*used));
	uint32_t *waiting = pl_array_create(f->n_hosts, sizeof(*waiting));
	size_t n_pairs;
	int rc = -1;

	memset(half, 0, sizeof(*half));
	half->pair_of = pl_array_create(f->n_pos, sizeof(*half->pair_of));
	*done = false;
	if (!slots || !used || !waiting || !half->pair_of) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t h = 0; h < f->n_hosts; h++)
		slots[h] = (f->slot[h + 1] - f->slot[h]) / 2;
	n_pairs = pair(f, host_at, half, waiting);
	*done = fits(f, slots, n_pairs, host_at, used);
	rc = *done ? make_flows(f, slots, n_pairs, half, err) : 0;
out:
	if (rc || !*done)
		pl_assign_half_fini(half);
	free(slots);
	free(used);
	free(waiting);
	return rc;
}

void pl_assign_half_fini(struct pl_assign_half *half)
{
	pl_assign_flows_fini(&half->flows);
	free(half->pair_of);
	memset(half, 0, sizeof(*half));
}

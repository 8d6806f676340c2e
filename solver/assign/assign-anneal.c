/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-anneal.c - exchanges near the peers of a position, annealed */
#include "config.h"

#include "solver/assign/assign-anneal.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* Changes tried to learn what they cost. */
#define SAMPLES 256

/* One move in so many goes to any slot. */
#define ANYWHERE 16

/* The clock is looked at once in so many moves. */
#define MOVES_PER_LOOK 64

#define NONE UINT32_MAX

struct annealing {
	const struct pl_assign_flows *flows;
	const struct pl_neighbours *nb;
	struct pl_rng *rng;
	uint32_t *pos_on;  /* [n_slots] by slot; NONE: free */
	uint32_t *host_of; /* [n_slots] by slot */
	uint32_t *slot_of; /* [n_pos] by position */
};

/* A position goes to a slot, and what is there to the position's. */
struct change {
	uint32_t pos, slot;
};

static size_t host(const struct annealing *a, size_t pos)
{
	return a->host_of[a->slot_of[pos]];
}

static void seat(struct annealing *a, const size_t *host_at)
{
	const struct pl_assign_flows *f = a->flows;

	for (size_t h = 0; h < f->n_hosts; h++)
		for (size_t s = f->slot[h]; s < f->slot[h + 1]; s++) {
			a->host_of[s] = (uint32_t)h;
			a->pos_on[s] = NONE;
		}
	for (size_t p = 0; p < f->n_pos; p++) {
		size_t s = f->slot[host_at[p]];

		while (a->pos_on[s] != NONE)
			s++;
		a->pos_on[s] = (uint32_t)p;
		a->slot_of[p] = (uint32_t)s;
	}
}

/* What the flows of @pos cost more on host @to, except those with @other
 * (NONE: all). */
static double moved(const struct annealing *a, size_t pos, size_t to, uint32_t other)
{
	const struct pl_assign_flows *f = a->flows;
	const size_t from = host(a, pos);
	double sum = 0;

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];
		const size_t there = host(a, x->pos);

		if (x->pos != other)
			sum += pl_assign_hop(f, to, there, x->out) -
			       pl_assign_hop(f, from, there, x->out) +
			       pl_assign_hop(f, there, to, x->in) -
			       pl_assign_hop(f, there, from, x->in);
	}
	return sum;
}

/* What the flows between the two cost more in the other direction. */
static double turned(const struct annealing *a, size_t pos, uint32_t other)
{
	const struct pl_assign_flows *f = a->flows;
	const size_t p = host(a, pos), q = host(a, other);

	for (size_t k = f->first[pos]; k < f->first[pos + 1]; k++) {
		const struct pl_assign_peer *x = &f->peer[k];

		if (x->pos == other)
			return pl_assign_hop(f, q, p, x->out) - pl_assign_hop(f, p, q, x->out) +
			       pl_assign_hop(f, p, q, x->in) - pl_assign_hop(f, q, p, x->in);
	}
	return 0;
}

static double delta(const struct annealing *a, struct change x)
{
	const uint32_t other = a->pos_on[x.slot];
	const size_t from = host(a, x.pos), to = a->host_of[x.slot];

	if (from == to)
		return 0;
	if (other == NONE)
		return moved(a, x.pos, to, NONE);
	return moved(a, x.pos, to, other) + moved(a, other, from, x.pos) + turned(a, x.pos, other);
}

static void make(struct annealing *a, struct change x)
{
	const uint32_t other = a->pos_on[x.slot], from = a->slot_of[x.pos];

	a->pos_on[x.slot] = x.pos;
	a->slot_of[x.pos] = x.slot;
	a->pos_on[from] = other;
	if (other != NONE)
		a->slot_of[other] = from;
}

/* The host of a peer, or one near it. */
static size_t near_peer(struct annealing *a, size_t pos)
{
	const struct pl_assign_flows *f = a->flows;
	const size_t n_peers = f->first[pos + 1] - f->first[pos];
	const size_t peer = f->first[pos] + pl_rng_below(a->rng, n_peers);
	const size_t h = host(a, f->peer[peer].pos);
	const size_t k = pl_rng_below(a->rng, a->nb->k + 1);

	if (k == 0 || (h != host(a, pos) && (pl_rng_u64(a->rng) & 1)))
		return h;
	return a->nb->out[h * a->nb->k + k - 1];
}

static struct change propose(struct annealing *a)
{
	const struct pl_assign_flows *f = a->flows;
	const size_t pos = pl_rng_below(a->rng, f->n_pos);
	struct change x = {.pos = (uint32_t)pos};

	if (f->first[pos] < f->first[pos + 1] && pl_rng_below(a->rng, ANYWHERE) > 0) {
		const size_t h = near_peer(a, pos);
		const size_t n = f->slot[h + 1] - f->slot[h];

		x.slot = (uint32_t)f->slot[h];
		if (n > 0) {
			x.slot += (uint32_t)pl_rng_below(a->rng, n);
			return x;
		}
	}
	x.slot = (uint32_t)pl_rng_below(a->rng, f->n_slots);
	return x;
}

/* What changes cost on average, those that cost something. */
static double mean_change(struct annealing *a)
{
	double sum = 0;
	int n = 0;

	for (int i = 0; i < SAMPLES; i++) {
		const double d = delta(a, propose(a));

		sum += d > 0 ? d : 0;
		n += d > 0;
	}
	return n ? sum / n : 0;
}

/* Returns the moves done: all, unless it was stopped. */
static uint64_t anneal(struct annealing *a, const struct pl_assign_anneal_job *job)
{
	const double heat = job->heat * mean_change(a);

	for (uint64_t done = 0; done < job->moves; done++) {
		const double left = 1 - (double)done / (double)job->moves;
		struct change x;

		if (done % MOVES_PER_LOOK == 0 && pl_stop_now(job->stop))
			return done;
		x = propose(a);
		if (delta(a, x) <= heat * left * left * pl_rng_double(a->rng))
			make(a, x);
	}
	return job->moves;
}

int pl_assign_anneal(const struct pl_assign_anneal_job *job, size_t *host_at, struct pl_rng *rng,
		     uint64_t *done, struct pl_err *err)
{
	const struct pl_assign_flows *f = job->flows;
	struct annealing a = {
		.flows = f,
		.nb = job->nb,
		.rng = rng,
		.pos_on = pl_array_create(f->n_slots, sizeof(*a.pos_on)),
		.host_of = pl_array_create(f->n_slots, sizeof(*a.host_of)),
		.slot_of = pl_array_create(f->n_pos, sizeof(*a.slot_of)),
	};
	const bool enough = a.pos_on && a.host_of && a.slot_of;

	if (enough) {
		seat(&a, host_at);
		*done = anneal(&a, job);
		for (size_t p = 0; p < f->n_pos; p++)
			host_at[p] = host(&a, p);
	}
	free(a.pos_on);
	free(a.host_of);
	free(a.slot_of);
	return enough ? 0 : pl_err_nomem(err);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-restart.c - one restart of the ring search: start, kicks, local
 * search */
#include "config.h"

#include "solver/ring/ring-restart.h"

#include "base/mem.h"
#include "costmodels/ring.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kick stays within this many hosts: far apart, its parts would be repaired one by one and
 * nothing learnt. */
#define KICK_SPAN 50

/* What a kick may lose at the start of a cooling, on average, as a share of the mean hop: enough to
 * leave what a search that only descends is caught in. */
#define HEAT 1.0

/* A share of the moves goes to a first, quick cooling, whose result there is if the search is
 * stopped early. The second starts from it. */
#define QUICK 0.1

/* A share of each cooling only accepts gains: hops of one ring may differ by more than heat can
 * follow. */
#define COLD 0.1

/* A share of the cost that following it never loses. */
#define NEAR 1e-9

/* The clock is looked at once in so many moves. */
#define MOVES_PER_LOOK 64

int pl_ring_restart_init(struct pl_ring_restart *r, const struct pl_hops *hops,
			 const struct pl_neighbours *nb, struct pl_err *err)
{
	const size_t n = hops->n;

	memset(r, 0, sizeof(*r));
	r->order = pl_array_create(n, sizeof(*r->order));
	r->best = pl_array_create(n, sizeof(*r->best));
	if (!r->order || !r->best) {
		pl_ring_restart_fini(r);
		return pl_err_nomem(err);
	}
	if (pl_ring_local_init(&r->ls, hops, nb, err)) {
		pl_ring_restart_fini(r);
		return -1;
	}
	return 0;
}

void pl_ring_restart_fini(struct pl_ring_restart *r)
{
	pl_ring_local_fini(&r->ls);
	free(r->order);
	free(r->best);
	memset(r, 0, sizeof(*r));
}

double pl_ring_rounding(double cost, size_t n)
{
	/* a bound adds multipliers as well, several times the cost */
	return cost * 8 * (double)(n + 8) * DBL_EPSILON;
}

bool pl_ring_reached(double cost, double target, size_t n)
{
	return cost <= target + pl_ring_rounding(target, n);
}

/* Goes on from a random host to the nearest one left. */
static void start_nearest(struct pl_ring_restart *r)
{
	const size_t n = r->ls.n;
	size_t *left = r->order; /* [done, n): hosts not yet visited */

	for (size_t i = 0; i < n; i++)
		left[i] = i;
	for (size_t done = 0; done < n; done++) {
		size_t pick = done, t;

		if (done == 0)
			pick = pl_rng_below(&r->rng, n);
		for (size_t i = done + 1; done > 0 && i < n; i++) {
			const size_t from = left[done - 1];

			if (pl_hop(&r->ls.hops, from, left[i]) <
			    pl_hop(&r->ls.hops, from, left[pick]))
				pick = i;
		}
		t = left[done];
		left[done] = left[pick];
		left[pick] = t;
	}
}

static double cost_of(const struct pl_ring_restart *r, const size_t *host_at)
{
	return pl_cost_ring(r->ls.hops.c, r->ls.n, host_at, r->ls.n);
}

static double present_cost(struct pl_ring_restart *r)
{
	pl_tour_get(&r->ls.tour, r->order);
	return cost_of(r, r->order);
}

static void start(struct pl_ring_restart *r, const struct pl_ring_job *job)
{
	const size_t n = r->ls.n;

	pl_rng_init(&r->rng, job->seed, job->stream);
	if (job->nearest)
		start_nearest(r);
	if (!job->nearest || (job->start && cost_of(r, job->start) <= cost_of(r, r->order)))
		memcpy(r->order, job->start, n * sizeof(*r->order));
	pl_tour_set(&r->ls.tour, r->order);
	for (size_t i = 0; i < n; i++)
		pl_ring_local_push(&r->ls, r->ls.tour.at[i]);
	pl_ring_local_run(&r->ls);
	pl_tour_keep(&r->ls.tour);
	r->best_cost = INFINITY;
	r->cost = present_cost(r);
}

/*
 * Double bridge: three neighbouring ways X Y Z become Z Y X; four hops change and no direction.
 * Returns what it costs.
 */
static double kick(struct pl_ring_restart *r)
{
	struct pl_tour *t = &r->ls.tour;
	const uint32_t n = t->n;
	const uint32_t span = n - 1 < KICK_SPAN ? n - 1 : KICK_SPAN;
	const uint32_t from = (uint32_t)pl_rng_below(&r->rng, n);
	uint32_t cut[4]; /* places after @from where the ways start and end */
	uint32_t src[4], dst[4];
	double delta = 0;

	cut[0] = 0;
	cut[3] = 3 + (uint32_t)pl_rng_below(&r->rng, span - 2);
	cut[1] = 1 + (uint32_t)pl_rng_below(&r->rng, cut[3] - 2);
	cut[2] = cut[1] + 1 + (uint32_t)pl_rng_below(&r->rng, cut[3] - cut[1] - 1);
	for (int i = 0; i < 4; i++) {
		src[i] = t->at[(from + cut[i]) % n];
		dst[i] = pl_tour_next(t, src[i]);
		delta -= pl_hop(&r->ls.hops, src[i], dst[i]);
	}
	/* X = dst0..src1, Y = dst1..src2, Z = dst2..src3 */
	pl_tour_exchange(t, dst[0], src[1], src[3]); /* Y Z X */
	pl_tour_exchange(t, dst[1], src[2], src[3]); /* Z Y X */
	for (int i = 0; i < 4; i++) {
		const uint32_t after[] = {dst[2], dst[0], dst[1], dst[3]};
		const uint32_t before[] = {src[0], src[2], src[3], src[1]};

		delta += pl_hop(&r->ls.hops, before[i], after[i]);
		pl_ring_local_push(&r->ls, src[i]);
		pl_ring_local_push(&r->ls, dst[i]);
	}
	return delta;
}

/* Sets the present ring aside if it is the best so far. */
static void save(struct pl_ring_restart *r)
{
	r->cost = present_cost(r);
	if (r->cost < r->best_cost) {
		memcpy(r->best, r->order, r->ls.n * sizeof(*r->best));
		r->best_cost = r->cost;
	}
}

/* How much a move may lose on average once @spent, a share of all moves, is done: quadratically
 * down to nothing, twice. */
static double heat(const struct pl_ring_restart *r, double spent)
{
	const double cooled = spent < QUICK ? spent / QUICK : (spent - QUICK) / (1 - QUICK);
	const double left = fmax(1 - cooled / (1 - COLD), 0);

	return HEAT * left * left * r->cost / (double)r->ls.n;
}

/*
 * One kick and its repair. A loss is undone if it exceeds a random amount from 0 to 2 @mean. Before
 * the best ring so far is left for a dearer one it must be saved: this call then saves it, and
 * undoes its move. Returns the gain, below 0 for a loss.
 */
static double move(struct pl_ring_restart *r, double mean)
{
	const double delta = kick(r) - pl_ring_local_run(&r->ls);
	const bool keep = delta <= 0 || delta < 2 * mean * pl_rng_double(&r->rng);

	if (delta > 0 && (!keep || r->cost < r->best_cost)) {
		pl_tour_undo(&r->ls.tour);
		if (keep)
			save(r);
		return 0;
	}
	pl_tour_keep(&r->ls.tour);
	r->cost += delta;
	return -delta;
}

/* The cost that is followed may be off by more than one sum's rounding: where it comes near the
 * target, it is added up anew. */
static bool reached(struct pl_ring_restart *r, const struct pl_ring_job *job)
{
	if (r->cost > job->target * (1 + NEAR))
		return false;
	save(r);
	return pl_ring_reached(r->best_cost, job->target, r->ls.n);
}

bool pl_ring_told_to_stop(const struct pl_ring_job *job)
{
	return pl_stop_now(job->stop) || atomic_load(job->limit) <= job->number;
}

/* Kicks until the moves are used up. */
static enum pl_restart_end iterate(struct pl_ring_restart *r, const struct pl_ring_job *job)
{
	const uint64_t moves = r->ls.n < 4 ? 0 : job->moves;
	double gain = 1; /* the start is looked at as well */

	for (r->moves = 0;; r->moves++) {
		if (gain > 0 && reached(r, job))
			return PL_RESTART_REACHED;
		if (r->moves == moves)
			return PL_RESTART_SPENT;
		if (r->moves % MOVES_PER_LOOK == 0 && pl_ring_told_to_stop(job))
			return PL_RESTART_STOPPED;
		gain = move(r, job->cold ? 0 : heat(r, (double)r->moves / (double)moves));
	}
}

enum pl_restart_end pl_ring_restart_run(struct pl_ring_restart *r, const struct pl_ring_job *job)
{
	enum pl_restart_end end;

	start(r, job);
	end = iterate(r, job);
	save(r);
	return end;
}

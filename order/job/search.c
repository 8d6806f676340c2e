/* SPDX-License-Identifier: BSD-3-Clause */
/* search.c - the cheapest order of a job that annealing finds */
#include "config.h"

#include "order/job/solve.h"

#include "base/mem.h"
#include "base/rng.h"
#include "solver/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The default budget: so many restarts, and about half a second. */
#define RESTARTS 8
#define MOVES_MIN 1000000

#define NEIGHBOURS 8
#define STARTS 6           /* the cheapest of the seeds */
#define LOOKS 64           /* moves between two looks at the clock */
#define SAMPLES 200        /* exchanges that show what one changes */
#define COOLING 1e-3       /* the last temperature in terms of the first */
#define ENOUGH (1 + 1e-12) /* times the bound: it is reached */

/* The first temperature in terms of what an exchange changes: restarts take turns, so that each
 * start meets each. */
static const double heats[] = {0.02, 0.2, 0.7};
#define N_HEATS (sizeof(heats) / sizeof(*heats))

/* What all threads share. */
struct search {
	const struct pl_job_cost_options *cost;
	const struct pl_job_search_options *o;
	size_t n;
	const size_t *start[STARTS]; /* the cheapest first */
	size_t n_starts;
	struct pl_neighbours nb;
	struct pl_job_flows flows; /* flow is NULL: it does not only send */
	struct pl_restarts restarts;
};

/* Where each host has its seats: those of host h are seat[from[h]] .. seat[from[h + 1] - 1];
 * place[] is the index of each seat in there. */
struct whereabouts {
	size_t *from, *seat, *place;
};

/* One thread. */
struct worker {
	struct search *s;
	struct pl_job_cost *c;
	struct whereabouts at;
	struct pl_rng rng;
	size_t *best; /* [n] */
	double best_cost, best_smooth;
};

static uint64_t moves_per_restart(size_t n_seats)
{
	return 1000 + 400 * (uint64_t)n_seats;
}

uint64_t pl_job_search_moves(size_t n_seats)
{
	const uint64_t moves = RESTARTS * moves_per_restart(n_seats);

	return moves < MOVES_MIN ? MOVES_MIN : moves;
}

static int whereabouts_init(struct whereabouts *w, size_t n_hosts, size_t n)
{
	w->from = pl_array_create(n_hosts + 2, sizeof(*w->from));
	w->seat = pl_array_create(n, sizeof(*w->seat));
	w->place = pl_array_create(n, sizeof(*w->place));
	return w->from && w->seat && w->place ? 0 : -1;
}

static void whereabouts_set(struct whereabouts *w, size_t n_hosts, const size_t *host_at, size_t n)
{
	memset(w->from, 0, (n_hosts + 2) * sizeof(*w->from));
	for (size_t i = 0; i < n; i++)
		w->from[host_at[i] + 2]++;
	for (size_t h = 2; h <= n_hosts + 1; h++)
		w->from[h] += w->from[h - 1];
	for (size_t i = 0; i < n; i++) {
		w->place[i] = w->from[host_at[i] + 1]++;
		w->seat[w->place[i]] = i;
	}
}

static void exchange(struct worker *w, size_t a, size_t b)
{
	const size_t place = w->at.place[a];

	w->at.place[a] = w->at.place[b];
	w->at.place[b] = place;
	w->at.seat[w->at.place[a]] = a;
	w->at.seat[place] = b;
	pl_job_cost_exchange(w->c, a, b);
}

/* A seat of a hop that decides the cost gets a host near the one at the other end. False: there is
 * none. */
static bool pick_near(struct worker *w, size_t *a, size_t *b)
{
	const struct pl_neighbours *nb = &w->s->nb;
	const size_t *host_at = pl_job_cost_order(w->c);
	const uint64_t pick = pl_rng_u64(&w->rng);
	size_t ends[2], host, n;

	if (nb->k == 0 || pl_job_cost_critical(w->c, pick >> 1, ends))
		return false;
	*a = ends[pick & 1];
	host = nb->out[host_at[ends[~pick & 1]] * nb->k + pl_rng_below(&w->rng, nb->k)];
	n = w->at.from[host + 1] - w->at.from[host];
	if (n == 0)
		return false;
	*b = w->at.seat[w->at.from[host] + pl_rng_below(&w->rng, n)];
	return true;
}

/* Two seats that may exchange their hosts; equal where chance found none. */
static void pick(struct worker *w, size_t *a, size_t *b)
{
	const size_t *class = w->s->o->class;
	const size_t *host_at = pl_job_cost_order(w->c);

	if (pl_rng_below(&w->rng, 4) == 0 || !pick_near(w, a, b)) {
		*a = pl_rng_below(&w->rng, w->s->n);
		*b = pl_rng_below(&w->rng, w->s->n);
	}
	if (host_at[*a] == host_at[*b] || (class && class[*a] != class[*b]))
		*b = *a;
}

/* The mean change of the cost by an exchange. */
static double sample(struct worker *w)
{
	const double before = pl_job_cost_smooth(w->c);
	double sum = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		size_t a, b;

		pick(w, &a, &b);
		if (a == b)
			continue;
		exchange(w, a, b);
		sum += fabs(pl_job_cost_smooth(w->c) - before);
		exchange(w, a, b);
	}
	return sum / SAMPLES;
}

static void remember(struct worker *w)
{
	const double cost = pl_job_cost_now(w->c);
	const double smooth = pl_job_cost_smooth(w->c);

	if (cost > w->best_cost || (cost == w->best_cost && smooth >= w->best_smooth))
		return;
	w->best_cost = cost;
	w->best_smooth = smooth;
	memcpy(w->best, pl_job_cost_order(w->c), w->s->n * sizeof(*w->best));
}

static bool is_reached(const struct search *s, double cost)
{
	return s->o->bound > 0 && cost <= s->o->bound * ENOUGH;
}

static enum pl_restart_end anneal(struct worker *w, uint64_t number, uint64_t moves, double heat,
				  uint64_t *done)
{
	struct search *s = w->s;
	double t = heat, smooth = pl_job_cost_smooth(w->c);
	const double cool = pow(COOLING, (double)LOOKS / (double)(moves + 1));

	for (*done = 0; *done < moves; ++*done) {
		size_t a, b;
		double now;

		if (*done % LOOKS == 0) {
			if (pl_stop_now(s->o->stop) || number >= s->restarts.limit)
				return PL_RESTART_STOPPED;
			t *= cool;
		}
		pick(w, &a, &b);
		if (a == b)
			continue;
		exchange(w, a, b);
		now = pl_job_cost_smooth(w->c);
		if (now > smooth && pl_rng_double(&w->rng) >= exp((smooth - now) / t)) {
			exchange(w, a, b);
			continue;
		}
		smooth = now;
		remember(w);
		if (is_reached(s, w->best_cost))
			return PL_RESTART_REACHED;
	}
	return PL_RESTART_SPENT;
}

/* A step of tabu search, where the best of all exchanges is looked for, counts as so many moves:
 * that is its time. */
static uint64_t step_moves(size_t n)
{
	if (n > PL_ASSIGN_DENSE_MAX)
		return 1;
	return n < 8 ? 2 : n / 4;
}

/* Restarts of a job that only sends. */
static void run_assign(struct worker *w, uint64_t number, uint64_t moves)
{
	struct search *s = w->s;
	struct pl_restarts_done done = {.number = number, .order = w->best};
	const struct pl_assign_options options = {
		.seed = s->o->seed,
		.stream = number,
		.moves = moves / step_moves(s->n),
		.target = s->o->bound * ENOUGH,
		.stop = s->o->stop,
	};
	struct pl_assign_result r;
	struct pl_err err = {0};

	memcpy(w->best, s->start[0], s->n * sizeof(*w->best));
	if (pl_job_flows_search(&s->flows, &options, w->best, &r, &err)) {
		pl_restarts_fail(&s->restarts, &err);
		return;
	}
	done.moves = r.moves * step_moves(s->n);
	done.cost = pl_job_cost_set(w->c, w->best);
	if (is_reached(s, done.cost))
		done.end = PL_RESTART_REACHED;
	else
		done.end = r.stopped ? PL_RESTART_STOPPED : PL_RESTART_SPENT;
	pl_restarts_hand_in(&s->restarts, &done);
}

static void run_restart(struct worker *w, uint64_t number, uint64_t moves)
{
	struct search *s = w->s;
	struct pl_restarts_done done = {.number = number, .order = w->best};
	const size_t *start = s->start[number % s->n_starts];
	double heat = heats[(number + number / s->n_starts) % N_HEATS];

	pl_rng_init(&w->rng, s->o->seed, number);
	pl_job_cost_set(w->c, start);
	whereabouts_set(&w->at, s->cost->costs.n, start, s->n);
	w->best_cost = INFINITY;
	remember(w);
	if (is_reached(s, w->best_cost)) {
		done.end = PL_RESTART_REACHED;
	} else {
		heat *= sample(w);
		done.end = anneal(w, number, moves, heat, &done.moves);
	}
	done.cost = pl_job_cost_set(w->c, w->best);
	pl_restarts_hand_in(&s->restarts, &done);
}

static void *work(void *arg)
{
	struct search *s = arg;
	struct worker w = {.s = s};
	struct pl_err err = {0};
	uint64_t number, moves;

	w.best = pl_array_create(s->n, sizeof(*w.best));
	w.c = pl_job_cost_create(s->cost, &err);
	if (w.c && (!w.best || whereabouts_init(&w.at, s->cost->costs.n, s->n)))
		pl_err_nomem(&err);
	if (err.code)
		pl_restarts_fail(&s->restarts, &err);
	else
		while (pl_restarts_take(&s->restarts, &number, &moves))
			if (s->flows.flow)
				run_assign(&w, number, moves);
			else
				run_restart(&w, number, moves);
	pl_job_cost_destroy(w.c);
	free(w.at.from);
	free(w.at.seat);
	free(w.at.place);
	free(w.best);
	return NULL;
}

/* The cheapest seeds, by cost; the given order is one of them. */
static void choose_starts(struct search *s, struct pl_job_cost *c, const struct pl_job_seeds *seeds)
{
	double cost[STARTS];

	for (size_t i = 0; i < seeds->n; i++) {
		const size_t *start = seeds->host_at + i * s->n;
		const double x = pl_job_cost_set(c, start);
		size_t at = s->n_starts;

		if (at == STARTS && x >= cost[at - 1])
			continue;
		if (at == STARTS)
			at--;
		else
			s->n_starts++;
		for (; at > 0 && cost[at - 1] > x; at--) {
			cost[at] = cost[at - 1];
			s->start[at] = s->start[at - 1];
		}
		cost[at] = x;
		s->start[at] = start;
	}
}

/* Tries all orders of a few seats (Heap's algorithm); host_at[n] becomes the best. */
static void try_all(struct pl_job_cost *c, size_t *host_at, size_t n,
		    struct pl_job_search_result *r)
{
	size_t count[PL_JOB_EXACT_MAX] = {0}, i = 1;

	pl_job_cost_set(c, host_at);
	while (i < n) {
		if (count[i] == i) {
			count[i++] = 0;
			continue;
		}
		pl_job_cost_exchange(c, i % 2 ? count[i] : 0, i);
		r->moves++;
		if (pl_job_cost_now(c) < r->cost * (1 - 1e-12)) {
			r->cost = pl_job_cost_now(c);
			memcpy(host_at, pl_job_cost_order(c), n * sizeof(*host_at));
		}
		count[i]++;
		i = 1;
	}
	r->exact = true;
}

static int search(struct search *s, size_t *host_at, struct pl_job_search_result *r,
		  struct pl_err *err)
{
	const struct pl_restarts_plan plan = {
		.n = s->n,
		.moves = s->o->moves,
		.share = s->flows.flow ? pl_job_search_moves(s->n) : moves_per_restart(s->n),
		.limit = s->o->moves ? UINT64_MAX : 1,
		.doubling = s->flows.flow ? 1 : RESTARTS,
		.threads = s->o->threads,
		.progress = s->o->progress,
		.progress_arg = s->o->progress_arg,
	};
	uint64_t restarts;
	int rc;

	if (pl_restarts_init(&s->restarts, &plan, err))
		return -1;
	rc = pl_restarts_run(&s->restarts, work, s, err);
	if (rc == 0) {
		pl_restarts_sum(&s->restarts, &restarts, &r->moves);
		r->stopped = s->restarts.stopped && !s->restarts.reached;
		r->exact = s->restarts.reached;
		if (s->restarts.best_cost < r->cost) {
			r->cost = s->restarts.best_cost;
			memcpy(host_at, s->restarts.best, s->n * sizeof(*host_at));
		}
	}
	pl_restarts_fini(&s->restarts);
	return rc;
}

/* Prepares and searches; @c is scratch. */
static int search_from(struct search *s, struct pl_job_cost *c, size_t *host_at,
		       struct pl_job_search_result *r, struct pl_err *err)
{
	const size_t n_hosts = s->cost->costs.n;
	const size_t k = n_hosts - 1 < NEIGHBOURS ? n_hosts - 1 : NEIGHBOURS;
	struct pl_job_seeds seeds = {0};
	int rc = -1;

	if (pl_job_seeds_init(&seeds, s->cost, s->o->class, host_at))
		return pl_err_nomem(err);
	choose_starts(s, c, &seeds);
	if (!s->o->class && pl_job_only_sends(s->cost) &&
	    pl_job_flows_init(&s->flows, s->cost, host_at))
		pl_err_nomem(err);
	else if (pl_neighbours_init(&s->nb, s->cost->costs.c, n_hosts, k, NULL, err) == 0)
		rc = search(s, host_at, r, err);
	pl_neighbours_fini(&s->nb);
	pl_job_flows_fini(&s->flows);
	pl_job_seeds_fini(&seeds);
	return rc;
}

int pl_job_search(const struct pl_job_cost_options *cost, const struct pl_job_search_options *o,
		  size_t *host_at, struct pl_job_search_result *r, struct pl_err *err)
{
	struct search s = {.cost = cost, .o = o, .n = cost->seats.n};
	struct pl_job_cost *c = pl_job_cost_create(cost, err);
	int rc = 0;

	*r = (struct pl_job_search_result){0};
	if (!c)
		return -1;
	r->cost = r->cost_given = pl_job_cost_set(c, host_at);
	if (is_reached(&s, r->cost) || pl_job_cost_is_even(c))
		r->exact = true;
	else if (s.n <= PL_JOB_EXACT_MAX && !o->class)
		try_all(c, host_at, s.n, r);
	else
		rc = search_from(&s, c, host_at, r, err);
	pl_job_cost_destroy(c);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - one order of hosts for all communicators of a job */
#include "config.h"

#include "order/job/order.h"

#include "base/clock.h"
#include "base/mem.h"
#include "order/job/calls.h"
#include "order/job/play.h"
#include "order/job/solve.h"
#include "order/solve-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each kind alone gets this part of the moves. */
#define ALONE_SHARE 4

/* Orders that are played: the given one, the cheapest of all kinds together, the same once more
 * when the kinds' costs have been scaled to what was played, then the cheapest of each kind. */
enum { GIVEN, TOGETHER, SCALED, ALONES };

struct problem {
	const struct pl_job *job;
	const struct pl_order_input *in;
	const struct pl_order_request *q;
	struct pl_stop stop;
	struct pl_job_cost_options cost;
	/* Costs are the input's cells: at 10,000 hosts a copy takes 800 MB. Of a round trip half
	 * counts, so that a byte counts twice: [n * n], or NULL. */
	double *per_byte;
	double unit;                  /* of the input, in seconds; 1 for distances */
	double second;                /* what a cost of 1 is, in these */
	size_t *seat_of;              /* [n_ranks] */
	size_t *class;                /* [n] slots; NULL: all have the same */
	size_t *given;                /* [n] */
	size_t *candidate;            /* [(ALONES + kinds) * n], or NULL */
	struct pl_job_player *player; /* NULL: nothing is played; else: */
	struct pl_job_cost *scratch;
	double *seconds; /* [n_kinds] scratch */
};

static void problem_fini(struct problem *p)
{
	free(p->per_byte);
	free(p->seat_of);
	free(p->class);
	free(p->given);
	free(p->candidate);
	pl_job_player_destroy(p->player);
	pl_job_cost_destroy(p->scratch);
	free(p->seconds);
}

static int take_costs(struct problem *p)
{
	const struct pl_order_input *in = p->in;
	const size_t n = in->hosts.n;

	p->unit = in->unit == PL_LEVELS ? 1 : pl_unit_ns(in->unit) * 1e-9;
	p->second = in->round_trips ? p->unit / 2 : p->unit;
	p->cost.costs = (struct pl_costs){.n = n, .c = in->c, .per_byte = in->per_byte};
	if (!in->per_byte || !in->round_trips)
		return 0;
	p->per_byte = pl_array_create(n * n, sizeof(*p->per_byte));
	for (size_t i = 0; p->per_byte && i < n * n; i++)
		p->per_byte[i] = 2 * in->per_byte[i];
	p->cost.costs.per_byte = p->per_byte;
	return p->per_byte ? 0 : -1;
}

static int take_seats(struct problem *p)
{
	const struct pl_hosts *hosts = &p->in->hosts;
	const size_t n = hosts->n;

	p->seat_of = pl_array_create(p->job->n_ranks, sizeof(*p->seat_of));
	p->given = pl_array_create(n, sizeof(*p->given));
	if (!p->seat_of || !p->given)
		return -1;
	for (size_t h = 0, rank = 0; h < n; h++) {
		p->given[h] = h;
		for (int slot = 0; slot < hosts->v[h].slots; slot++)
			p->seat_of[rank++] = h;
	}
	if (pl_order_slots(hosts))
		return 0;
	p->class = pl_array_create(n, sizeof(*p->class));
	for (size_t h = 0; p->class && h < n; h++)
		p->class[h] = (size_t)hosts->v[h].slots;
	return p->class ? 0 : -1;
}

static int check_ranks(const struct problem *p, struct pl_err *err)
{
	const size_t n = pl_hosts_ranks(&p->in->hosts);

	if (n == p->job->n_ranks)
		return 0;
	return pl_err_at(
		err,
		(struct pl_place){.file = p->job->file, .line = p->job->line, .col = p->job->col},
		"the job has %zu ranks, the hosts have %zu slots: give them slots=N in the host "
		"list",
		p->job->n_ranks, n);
}

static int problem_init(struct problem *p, struct pl_err *err)
{
	if (check_ranks(p, err))
		return -1;
	if (take_seats(p))
		return pl_err_nomem(err);
	p->cost = (struct pl_job_cost_options){
		.job = p->job,
		.seats = {p->in->hosts.n, p->seat_of},
		.library = p->q->names.impl,
		.only = SIZE_MAX,
	};
	return take_costs(p) ? pl_err_nomem(err) : 0;
}

/* Searches for the kinds of p->cost; @shown: its progress is shown, from the given cost on. */
static int search(struct problem *p, uint64_t moves, double bound, const double *shown,
		  size_t *host_at, struct pl_job_search_result *found, struct pl_err *err)
{
	struct pl_order_show show;
	struct pl_job_search_options o = {
		.seed = p->q->seed,
		.moves = moves,
		.threads = p->q->threads,
		.bound = bound,
		.class = p->class,
		.stop = &p->stop,
	};
	int rc;

	if (shown) {
		const struct pl_order_problem view = {.q = p->q, .stop = &p->stop, .cost = *shown};

		o.progress = pl_order_show(&show, &view, bound, moves);
		o.progress_arg = &show;
	}
	rc = pl_job_search(&p->cost, &o, host_at, found, err);
	if (shown)
		pl_order_show_end(&show);
	return rc;
}

/* The bound of the kinds in p->cost; *even: do they cost the same in all orders? */
static int find_bound(struct problem *p, double *bound, bool *even, struct pl_err *err)
{
	struct pl_job_cost *c = pl_job_cost_create(&p->cost, err);
	int rc;

	if (!c)
		return -1;
	*even = pl_job_cost_is_even(c);
	rc = pl_job_bound(c, p->given, bound) ? pl_err_nomem(err) : 0;
	pl_job_cost_destroy(c);
	return rc;
}

/* The best order of that kind alone. */
static int find_alone(struct problem *p, uint64_t moves, size_t *host_at, struct pl_job_part *part,
		      struct pl_err *err)
{
	struct pl_job_search_result found;

	memcpy(host_at, p->given, p->in->hosts.n * sizeof(*host_at));
	if (search(p, moves, part->bound, NULL, host_at, &found, err))
		return -1;
	part->cost.alone = found.cost;
	if (found.exact)
		part->bound = found.cost;
	return 0;
}

/* Bounds of the kinds and, with p->candidate, their best orders. */
static int find_parts(struct problem *p, struct pl_job_answer *a, uint64_t moves,
		      struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	double all = 0;
	int rc = 0;

	a->kind = pl_array_create(p->job->n_kinds, sizeof(*a->kind));
	if (!a->kind)
		return pl_err_nomem(err);
	a->n = p->job->n_kinds;
	for (size_t k = 0; rc == 0 && k < a->n; k++) {
		a->kind[k].cost.alone = a->kind[k].played.alone = NAN;
		p->cost.only = k;
		rc = find_bound(p, &a->kind[k].bound, &a->kind[k].even, err);
		if (rc == 0 && p->candidate)
			rc = find_alone(p, moves / ALONE_SHARE, p->candidate + (ALONES + k) * n,
					&a->kind[k], err);
		a->bound += a->kind[k].bound;
		a->even = a->kind[k].even; /* of one kind, that is all */
	}
	p->cost.only = SIZE_MAX;
	if (rc == 0 && a->n > 1) {
		rc = find_bound(p, &all, &a->even, err);
		a->bound = fmax(a->bound, all);
	}
	return rc;
}

/* The costs of all kinds in an order. */
static int tell_parts(const struct problem *p, struct pl_job_answer *a, const size_t *host_at,
		      bool given, struct pl_err *err)
{
	struct pl_job_cost *c = pl_job_cost_create(&p->cost, err);
	double all;

	if (!c)
		return -1;
	all = pl_job_cost_set(c, host_at);
	*(given ? &a->given : &a->found) = all;
	for (size_t k = 0; k < a->n; k++)
		*(given ? &a->kind[k].cost.given : &a->kind[k].cost.found) = pl_job_cost_kind(c, k);
	pl_job_cost_destroy(c);
	return 0;
}

/* Has a kind in which all pairs of ranks send at once too many messages? */
static bool is_too_much(const struct problem *p, const struct pl_job_answer *a)
{
	const double n = (double)p->job->n_ranks;

	for (size_t k = 0; k < a->n; k++)
		if (a->kind[k].even && a->kind[k].cost.given > 0 && n * (n - 1) > PL_JOB_PLAYED_MAX)
			return true;
	return false;
}

/* Makes the player, if there is something to play on. */
static int player_init(struct problem *p, const struct pl_job_answer *a, struct pl_err *err)
{
	if (!p->in->matrix || p->in->unit == PL_LEVELS || is_too_much(p, a))
		return 0;
	p->seconds = pl_array_create(p->job->n_kinds, sizeof(*p->seconds));
	if (!p->seconds)
		return pl_err_nomem(err);
	p->scratch = pl_job_cost_create(&p->cost, err);
	if (!p->scratch)
		return -1;
	return pl_job_player_create(&p->player, p->job, p->in, p->q, p->seat_of, &p->stop, err);
}

static void tell_played(struct pl_job_answer *a, const double *seconds, bool given)
{
	for (size_t k = 0; k < a->n; k++)
		*(given ? &a->kind[k].played.given : &a->kind[k].played.found) = seconds[k];
}

/* The seconds of candidate @i, to p->seconds and *step; what is the given order again is not played
 * again. */
static int play(struct problem *p, const struct pl_job_answer *a, size_t i, double *step,
		struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	const size_t *order = p->candidate + i * n;

	if (i == GIVEN || memcmp(order, p->given, n * sizeof(*order)) != 0)
		return pl_job_play(p->player, order, p->seconds, step, err);
	for (size_t k = 0; k < a->n; k++)
		p->seconds[k] = a->kind[k].played.given;
	*step = a->played_given;
	return 0;
}

/* Plays candidate @i; host_at[n] becomes it if it is the fastest so far. Its kinds' seconds and
 * costs are added to played[] and cost[n kinds]. */
static int try_candidate(struct problem *p, struct pl_job_answer *a, size_t i, size_t *host_at,
			 double *played, double *cost, struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	const size_t *order = p->candidate + i * n;
	double step;

	if (play(p, a, i, &step, err))
		return -1;
	pl_job_cost_set(p->scratch, order);
	for (size_t k = 0; k < a->n; k++) {
		const struct pl_job_kind *kind = &p->job->kind[k];

		/* costs know no computing */
		played[k] += p->seconds[k] - kind->calls * kind->exposed * pl_job_computing_s(kind);
		cost[k] += pl_job_cost_kind(p->scratch, k);
	}
	if (i == GIVEN) {
		a->played_given = step;
		tell_played(a, p->seconds, true);
		if (pl_job_guessed(p->player, order, step, &a->guessed, err))
			return -1;
	}
	if (i >= ALONES)
		a->kind[i - ALONES].played.alone = p->seconds[i - ALONES];
	if (i == GIVEN || step < a->played_found) {
		a->played_found = step;
		tell_played(a, p->seconds, false);
		memcpy(host_at, order, n * sizeof(*host_at));
	}
	return 0;
}

/* What the kinds' costs are scaled by, so that they are what was played. */
static void scale(double *played, const double *cost, size_t n)
{
	for (size_t k = 0; k < n; k++)
		played[k] = cost[k] > 0 && played[k] > 0 ? played[k] / cost[k] : 1;
}

/* Searches once more with the costs scaled to what was played, and plays that order, too. */
static int try_scaled(struct problem *p, struct pl_job_answer *a, uint64_t moves, size_t *host_at,
		      double *played, double *cost, struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	struct pl_job_search_result found;
	int rc;

	scale(played, cost, a->n);
	p->cost.scale = played;
	memcpy(p->candidate + SCALED * n, host_at, n * sizeof(*host_at));
	rc = search(p, moves, 0, NULL, p->candidate + SCALED * n, &found, err);
	p->cost.scale = NULL;
	if (rc)
		return -1;
	return try_candidate(p, a, SCALED, host_at, played, cost, err);
}

/* Plays all candidates, and if there are several kinds one that is found by what was played;
 * host_at[n] becomes the fastest. */
static int choose(struct problem *p, struct pl_job_answer *a, uint64_t moves, size_t *host_at,
		  struct pl_err *err)
{
	double *played = pl_array_create(2 * a->n, sizeof(*played));
	double *cost = played ? played + a->n : NULL;
	int rc = played ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < ALONES + a->n; i++)
		if (i != SCALED)
			rc = try_candidate(p, a, i, host_at, played, cost, err);
	if (rc == 0 && a->n > 1 && !a->even)
		rc = try_scaled(p, a, moves, host_at, played, cost, err);
	a->is_played = rc == 0;
	free(played);
	return rc;
}

/* An order for all kinds may be the best that was found for one of them. */
static void lower_alone(struct pl_job_times *t)
{
	if (!isnan(t->alone))
		t->alone = fmin(t->alone, fmin(t->given, t->found));
}

/* The given order stays where less is gained than was asked for. */
static void keep_given(struct problem *p, struct pl_order_result *r, struct pl_job_answer *a)
{
	const double gain = a->is_played ? pl_order_gain(a->played_given, a->played_found)
					 : pl_order_gain(a->given, a->found);
	const size_t bytes = p->in->hosts.n * sizeof(*r->host_at);

	if (p->q->min_gain > 0 && gain > 0 && gain < p->q->min_gain) {
		r->kept = true;
		r->gain_missed = gain;
		memcpy(r->host_at, p->given, bytes);
		a->played_found = a->played_given;
		a->found = a->given;
		for (size_t k = 0; k < a->n; k++) {
			a->kind[k].cost.found = a->kind[k].cost.given;
			a->kind[k].played.found = a->kind[k].played.given;
		}
	}
	r->unchanged = memcmp(r->host_at, p->given, bytes) == 0;
}

/* Costs and bounds in seconds, or distances; in @r in the input's unit. */
static void tell_result(const struct problem *p, struct pl_order_result *r, struct pl_job_answer *a)
{
	for (size_t k = 0; k < a->n; k++) {
		a->kind[k].cost.given *= p->second;
		a->kind[k].cost.found *= p->second;
		a->kind[k].cost.alone *= p->second;
		a->kind[k].bound *= p->second;
	}
	a->given *= p->second;
	a->found *= p->second;
	a->bound *= p->second;
	r->cost_given = a->given / p->unit;
	r->cost = a->found / p->unit;
	r->bound = a->bound / p->unit;
	r->hops = r->hops_given = NAN;
}

/* The cheapest for all kinds of the given order and those for a kind alone. */
static int find_start(struct problem *p, size_t n_kinds, size_t *host_at, struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	struct pl_job_cost *c = pl_job_cost_create(&p->cost, err);
	double least = INFINITY;

	if (!c)
		return -1;
	for (size_t i = GIVEN; i < ALONES + n_kinds; i++) {
		const size_t *order = p->candidate + i * n;
		double cost;

		if (i == TOGETHER || i == SCALED)
			continue;
		cost = pl_job_cost_set(c, order);
		if (cost < least)
			memcpy(host_at, order, n * sizeof(*host_at));
		least = fmin(least, cost);
	}
	pl_job_cost_destroy(c);
	return 0;
}

/* The cheapest order of all kinds together becomes a candidate. */
static int find_together(struct problem *p, struct pl_order_result *r, struct pl_job_answer *a,
			 uint64_t moves, struct pl_err *err)
{
	const struct pl_stop whole = p->stop;
	size_t *host_at = p->candidate + TOGETHER * p->in->hosts.n;
	struct pl_job_search_result found;
	int rc;

	if (find_start(p, a->n, host_at, err))
		return -1;
	/* of the time, half is for the search with scaled costs */
	if (a->n > 1)
		p->stop = pl_order_early(&whole, 2);
	rc = search(p, moves, a->bound, &a->given, host_at, &found, err);
	p->stop = whole;
	if (rc)
		return -1;
	r->exact = found.exact;
	r->moves = found.moves;
	r->threads = p->q->threads;
	if (found.exact)
		a->bound = found.cost;
	return 0;
}

static bool is_interrupted(const struct problem *p)
{
	return p->stop.flag && *p->stop.flag;
}

/* The fastest candidate or, where nothing is played or a signal came first, the cheapest of all
 * kinds together. */
static int take_best(struct problem *p, struct pl_order_result *r, struct pl_job_answer *a,
		     uint64_t moves, struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	struct pl_err why = {0};

	if (player_init(p, a, err))
		return -1;
	if (p->player && !is_interrupted(p) && choose(p, a, moves, r->host_at, &why) == 0)
		return 0;
	if (why.code && why.code != PL_EPARTIAL)
		return pl_err_set(err, why.code, "%s", why.text);
	memcpy(r->host_at, p->candidate + TOGETHER * n, n * sizeof(*r->host_at));
	return 0;
}

static int solve(struct problem *p, struct pl_order_result *r, struct pl_job_answer *a,
		 struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	const uint64_t moves = pl_order_moves(p->q, pl_job_search_moves(n));
	const uint64_t few = p->q->time_ns ? pl_job_search_moves(n) : moves;
	int64_t begin = pl_clock_ns();

	p->candidate = pl_array_create(ALONES + p->job->n_kinds, n * sizeof(*p->candidate));
	r->host_at = pl_array_create(n, sizeof(*r->host_at));
	if (!p->candidate || !r->host_at)
		return pl_err_nomem(err);
	memcpy(p->candidate + GIVEN * n, p->given, n * sizeof(*p->given));
	/* with a deadline the kinds alone get the default moves */
	if (find_parts(p, a, few, err) || tell_parts(p, a, p->given, true, err))
		return -1;
	r->bound_seconds = pl_order_seconds_since(begin);
	begin = pl_clock_ns();
	if (find_together(p, r, a, moves, err) || take_best(p, r, a, moves, err))
		return -1;
	r->solve_seconds = pl_order_seconds_since(begin);
	r->stopped = is_interrupted(p);
	return 0;
}

int pl_job_order(struct pl_order_result *r, struct pl_job_answer *a, const struct pl_job *job,
		 const struct pl_order_input *in, const struct pl_order_request *q,
		 const struct pl_stop *stop, struct pl_err *err)
{
	struct problem p = {.job = job, .in = in, .q = q, .stop = *stop};
	int rc = problem_init(&p, err);

	a->in_seconds = in->unit != PL_LEVELS;
	if (rc == 0)
		rc = solve(&p, r, a, err);
	if (rc == 0)
		rc = tell_parts(&p, a, r->host_at, false, err);
	for (size_t k = 0; rc == 0 && k < a->n; k++) {
		lower_alone(&a->kind[k].cost);
		lower_alone(&a->kind[k].played);
	}
	if (rc == 0) {
		keep_given(&p, r, a);
		tell_result(&p, r, a);
	}
	problem_fini(&p);
	return rc;
}

/* Plays the given order and r->host_at. */
static int play_both(struct problem *p, const struct pl_order_result *r, struct pl_job_answer *a,
		     struct pl_err *err)
{
	if (pl_job_play(p->player, p->given, p->seconds, &a->played_given, err) ||
	    pl_job_guessed(p->player, p->given, a->played_given, &a->guessed, err))
		return -1;
	tell_played(a, p->seconds, true);
	if (pl_job_play(p->player, r->host_at, p->seconds, &a->played_found, err))
		return -1;
	tell_played(a, p->seconds, false);
	a->is_played = true;
	return 0;
}

int pl_job_order_cost(struct pl_order_result *r, struct pl_job_answer *a, const struct pl_job *job,
		      const struct pl_order_input *in, const struct pl_order_request *q,
		      const struct pl_stop *stop, struct pl_err *err)
{
	struct problem p = {.job = job, .in = in, .q = q, .stop = *stop};
	int rc = problem_init(&p, err);

	a->in_seconds = in->unit != PL_LEVELS;
	if (rc == 0)
		rc = find_parts(&p, a, 0, err);
	if (rc == 0)
		rc = tell_parts(&p, a, p.given, true, err);
	if (rc == 0)
		rc = tell_parts(&p, a, r->host_at, false, err);
	if (rc == 0)
		rc = player_init(&p, a, err);
	if (rc == 0 && p.player)
		rc = play_both(&p, r, a, err);
	if (rc == 0)
		tell_result(&p, r, a);
	problem_fini(&p);
	return rc;
}

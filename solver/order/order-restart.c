/* SPDX-License-Identifier: BSD-3-Clause */
/* order-restart.c - one restart of the search for any shape: annealing */
#include "config.h"

#include "solver/order/order-restart.h"

#include "solver/ring/ring-restart.h"

#include <string.h>

/* Changes tried to learn what they cost. */
#define SAMPLES 64

/* How far apart seats are at most whose hosts in between shift, and how many hosts in a row
 * move. */
#define REACH 64
#define MOVED_MAX 3

/* A descent begins this hot, and of its moves this many count as one: exchanges on smooth costs
 * take that much less time. */
#define SMOOTH_HEAT 1
#define SMOOTH_MOVES 8

/* How often the heat is halved. */
#define HALVINGS 10

/* One part of so many of a restart's moves is for its first annealing or its descent. The rest goes
 * to annealings that begin with the best order so far, each with one part of so many, at first this
 * hot. */
#define FIRST 2
#define AGAIN 8
#define AGAIN_HEAT 0.4
#define HOTTER 1.5
#define COOLER (1 / HOTTER)

/* The clock is looked at once in so many moves. */
#define MOVES_PER_LOOK 64

static double weigh(const struct pl_order_restart *r, double guide_share)
{
	const double cost = pl_objective_cost(r->seating.cost);

	if (guide_share > 0 && r->norms)
		return cost + guide_share * (pl_objective_norms(r->seating.cost) - cost);
	if (guide_share > 0 && r->seating.guide)
		return cost + guide_share * (pl_objective_cost(r->seating.guide) - cost);
	return cost;
}

static struct pl_seating_change exchange(size_t a, size_t b, size_t len)
{
	return (struct pl_seating_change){PL_EXCHANGE, a, b, a == b ? 0 : len};
}

static struct pl_seating_change any_two(struct pl_order_restart *r)
{
	const size_t n = r->seating.n, a = pl_rng_below(&r->rng, n);

	return exchange(a, pl_rng_below(&r->rng, n), 1);
}

/* Moves a host near one end of a critical hop to the hop's other end. */
static struct pl_seating_change bring_near(struct pl_order_restart *r)
{
	const uint64_t pick = pl_rng_u64(&r->rng);
	const struct pl_neighbours *nb = r->nb;
	size_t seat[2], keep, host;

	if (nb->k == 0 || pl_seating_critical(&r->seating, pick, seat))
		return any_two(r);
	keep = pl_rng_u64(&r->rng) & 1;
	host = r->seating.host_at[seat[keep]];
	host = nb->out[host * nb->k + pl_rng_below(&r->rng, nb->k)];
	return exchange(seat[!keep], r->seating.seat_of[host], 1);
}

/* The same for the blocks of 2^k seats that both are in; half as often
 * for each doubling, since an exchange takes as long as it moves hosts. Blocks begin at multiples
 * of their size or, as where a pattern leaves seats over, so that the two have the same place in
 * both. */
static struct pl_seating_change bring_blocks(struct pl_order_restart *r, struct pl_seating_change x)
{
	const size_t n = r->seating.n;
	size_t levels = 0, level = 0, len, a, b;
	uint64_t bits;

	while (n >> levels > 3)
		levels++;
	while (level < levels && pl_rng_u64(&r->rng) & 1)
		level++;
	if (level == 0)
		return x;
	len = (size_t)1 << level;
	bits = pl_rng_u64(&r->rng);
	a = x.a & (len - 1);
	b = x.b & (len - 1);
	if (bits >> 63)
		a = b = bits & (len - 1);
	if (x.a < a || x.b < b || x.a - a + len > n || x.b - b + len > n)
		return x;
	a = x.a - a;
	b = x.b - b;
	if (a < b + len && b < a + len) /* they overlap */
		return x;
	return exchange(a, b, len);
}

/* What lies between is turned round, which exchanges the two as well. */
static struct pl_seating_change turn_between(struct pl_seating_change x)
{
	const size_t first = x.a < x.b ? x.a : x.b;

	x.kind = PL_REVERSE;
	x.len = (x.a < x.b ? x.b - x.a : x.a - x.b) + 1;
	x.a = first;
	return x;
}

/* The second host, and perhaps those behind it, goes to the first one's
 * seat. */
static struct pl_seating_change move_there(struct pl_order_restart *r, struct pl_seating_change x)
{
	const size_t to = x.a;

	x.kind = PL_MOVE;
	x.len = 1 + pl_rng_below(&r->rng, MOVED_MAX);
	x.a = x.b;
	x.b = to;
	if (x.a + x.len > r->seating.n || to + x.len > r->seating.n)
		x.len = 1;
	return x;
}

/* A change of the seats in between, if those are not too many. */
static struct pl_seating_change shift(struct pl_order_restart *r, struct pl_seating_change x,
				      bool turn)
{
	if (x.len == 0 || x.a > x.b + REACH || x.b > x.a + REACH)
		return x;
	return turn ? turn_between(x) : move_there(r, x);
}

/* The host on seat 0 after that change. */
static size_t leader_after(const struct pl_seating *s, const struct pl_seating_change *x)
{
	size_t seat = 0;

	if (x->kind == PL_EXCHANGE && x->a == 0)
		seat = x->b;
	else if (x->kind == PL_REVERSE && x->a == 0)
		seat = x->len - 1;
	else if (x->kind == PL_MOVE && x->a == 0 && x->b > 0)
		seat = x->len;
	else if (x->kind != PL_REVERSE && x->b == 0)
		seat = x->a;
	return s->host_at[seat];
}

/* One move; it is of no seats where there is none. */
static struct pl_seating_change propose(struct pl_order_restart *r, const struct pl_order_job *job)
{
	const uint64_t way = pl_rng_below(&r->rng, 8);
	struct pl_seating_change x = way < 5 ? bring_near(r) : any_two(r);

	if (way < 2 && r->in_chains)
		x = shift(r, x, way == 0);
	else if (way == 4 || way == 5)
		x = bring_blocks(r, x);
	if (job->may_lead && x.len > 0 && !job->may_lead[leader_after(&r->seating, &x)])
		x.len = 0;
	return x;
}

/* What changes cost on average, those that cost something. */
static double mean_change(struct pl_order_restart *r, const struct pl_order_job *job, double share)
{
	const double before = weigh(r, share);
	double sum = 0;
	int n = 0;

	for (int i = 0; i < SAMPLES; i++) {
		const struct pl_seating_change x = propose(r, job);
		double change;

		if (x.len == 0)
			continue;
		pl_seating_change(&r->seating, &x);
		change = weigh(r, share) - before;
		pl_seating_undo(&r->seating);
		sum += change > 0 ? change : 0;
		n += change > 0;
	}
	return n ? sum / n : 0;
}

static void save(struct pl_order_restart *r)
{
	const double cost = pl_objective_cost(r->seating.cost);

	if (cost >= r->best_cost)
		return;
	r->best_cost = cost;
	memcpy(r->best, r->seating.host_at, r->seating.n * sizeof(*r->best));
}

/* Makes one change, and undoes it if it costs more than @tolerated. */
static void move(struct pl_order_restart *r, const struct pl_order_job *job, double share,
		 double tolerated)
{
	const double before = weigh(r, share);
	const struct pl_seating_change x = propose(r, job);

	if (x.len == 0)
		return;
	pl_seating_change(&r->seating, &x);
	save(r);
	if (weigh(r, share) - before > tolerated)
		pl_seating_undo(&r->seating);
}

/* @arg: the job. */
static bool told_to_stop(const void *arg)
{
	const struct pl_order_job *job = arg;

	return pl_stop_now(job->stop) || atomic_load(job->limit) <= job->number;
}

static bool reached(const struct pl_order_restart *r, const struct pl_order_job *job)
{
	return pl_ring_reached(r->best_cost, job->target, r->seating.n);
}

/* A descent has the moves of a first annealing. */
static void descend(struct pl_order_restart *r, const struct pl_order_job *job)
{
	const struct pl_order_descent_job descent = {
		.moves = job->moves / FIRST * SMOOTH_MOVES,
		.heat = SMOOTH_HEAT,
		.fine = job->way == PL_ORDER_FINE,
		.keep_first = job->may_lead != NULL,
		.stop = told_to_stop,
		.arg = job,
	};

	r->moves += pl_order_descent_run(&r->descent, &descent, &r->rng) / SMOOTH_MOVES;
	for (size_t seat = 0; seat < r->seating.n; seat++)
		r->best[seat] = r->base[r->descent.order[seat]];
}

/* Anneals the order that is seated. The heat falls to a half in each of equal parts of the moves,
 * steadily: at 2^-HALVINGS of it, hardly anything dearer is accepted. */
static enum pl_restart_end anneal(struct pl_order_restart *r, const struct pl_order_job *job,
				  uint64_t moves, double heat)
{
	const uint64_t part = moves / HALVINGS + 1;

	for (uint64_t k = 0; k < moves; k++, r->moves++) {
		const double cooled = 1 - (double)(k % part) / (double)(2 * part);
		const double left = 1 - (double)k / (double)moves;

		if (k > 0 && k % part == 0)
			heat /= 2;
		if (r->moves % MOVES_PER_LOOK == 0 && told_to_stop(job))
			return PL_RESTART_STOPPED;
		if (reached(r, job))
			return PL_RESTART_REACHED;
		move(r, job, job->guide * left, heat * cooled * pl_rng_double(&r->rng));
	}
	return reached(r, job) ? PL_RESTART_REACHED : PL_RESTART_SPENT;
}

/* Anneals the best order again and again. Where that ends at the same cost it was not hot enough,
 * where it ends at a dearer one it was too hot for so few moves. */
static enum pl_restart_end anneal_again(struct pl_order_restart *r, const struct pl_order_job *job,
					double unit)
{
	const uint64_t moves = job->moves / AGAIN + 1;
	enum pl_restart_end end = PL_RESTART_SPENT;
	double heat = unit * AGAIN_HEAT;

	while (end == PL_RESTART_SPENT && r->moves < job->moves) {
		const uint64_t left = job->moves - r->moves;
		const double before = r->best_cost;

		pl_seating_set(&r->seating, r->best);
		end = anneal(r, job, left < moves ? left : moves, heat);
		if (r->best_cost == before)
			heat *= pl_objective_cost(r->seating.cost) > before ? COOLER : HOTTER;
	}
	return end;
}

enum pl_restart_end pl_order_restart_run(struct pl_order_restart *r, const struct pl_order_job *job)
{
	enum pl_restart_end end = PL_RESTART_SPENT;
	double unit;

	pl_rng_init(&r->rng, job->seed, job->number);
	r->moves = 0;
	if (job->way == PL_ORDER_ALONE || job->way == PL_ORDER_AGAIN)
		memcpy(r->best, job->start, r->seating.n * sizeof(*r->best));
	else
		descend(r, job);
	pl_seating_set(&r->seating, r->best);
	r->best_cost = pl_objective_cost(r->seating.cost);
	unit = mean_change(r, job, job->guide);
	if (job->way == PL_ORDER_ALONE)
		end = anneal(r, job, (job->moves + FIRST - 1) / FIRST, job->heat * unit);
	return end == PL_RESTART_SPENT ? anneal_again(r, job, unit) : end;
}

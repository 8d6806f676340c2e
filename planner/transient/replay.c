/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.c - a job on transient machines, played many times */
#include "config.h"

#include "planner/transient/replay.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 8 /* replays, of which one must end */
#define S_PER_HOUR 3600

enum state {
	COMPUTES,
	COMES, /* is not up yet, or does not compute yet */
	GONE,
};

struct machine {
	const struct pl_spot_part *part;
	enum state state;
	double since_s; /* paid for from then on */
	double ends_s;  /* its life */
	double joins_s; /* of one that COMES */
};

/* One replay. */
struct play {
	const struct pl_spot_job *job;
	struct machine *machine; /* [n] */
	size_t n;
	struct pl_rng rng;
	double now_s, give_up_s;
	double work, saved;  /* steps */
	double saving_s;     /* what is left of a checkpoint; 0: none is made */
	double blocked_s;    /* nothing is computed until then */
	size_t replacements; /* left */
	size_t n_losses;
	double redone, dollars;
	double record; /* where in records of prices it begins, 0 to 1 */
};

/* Starts a life at @s. */
static void be_born(struct play *p, struct machine *m, double s)
{
	m->since_s = s;
	m->ends_s = m->part->curve ? s + pl_survival_draw(m->part->curve, &p->rng) : INFINITY;
}

static void pay(struct play *p, const struct machine *m)
{
	const struct pl_prices *prices = m->part->prices;
	double from_s;

	if (p->now_s <= m->since_s)
		return;
	if (!prices) {
		p->dollars += m->part->price_per_hour / S_PER_HOUR * (p->now_s - m->since_s);
		return;
	}
	from_s = p->record * pl_prices_length_s(prices);
	p->dollars += pl_prices_dollars(prices, from_s + m->since_s, from_s + p->now_s);
}

/* Steps a second now. */
static double rate(const struct play *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct machine *m = &p->machine[i];

		if (m->state == COMES && !p->job->goes_on)
			return 0;
		if (m->state == COMPUTES)
			sum += m->part->steps_per_s;
	}
	return fmin(sum, p->job->most_steps_per_s);
}

/* Passes over whole intervals, each with its checkpoint, that end by @left_s; not over the last
 * one, which may be shorter. Returns what is left. */
static double skip(struct play *p, double steps_per_s, double left_s)
{
	const struct pl_spot_job *job = p->job;
	const double cycle_s = job->interval / steps_per_s + job->save_s;
	const double n = floor(fmin(left_s / cycle_s, (job->steps - p->work) / job->interval - 1));

	if (job->interval == 0 || p->work != p->saved || !(n > 0))
		return left_s;
	p->work += n * job->interval;
	p->saved = p->work;
	return left_s - n * cycle_s;
}

/* Computes for @left_s seconds at one rate, or to the job's end: true, and now_s is then. */
static bool compute(struct play *p, double steps_per_s, double left_s)
{
	const struct pl_spot_job *job = p->job;

	for (;;) {
		double stop = job->steps, s;

		if (p->saving_s > 0) {
			s = fmin(p->saving_s, left_s);
			p->now_s += s;
			p->saving_s -= s;
			left_s -= s;
			if (p->saving_s > 0)
				return false;
			p->saved = p->work;
		}
		if (p->work >= job->steps)
			return true;
		s = skip(p, steps_per_s, left_s);
		p->now_s += left_s - s;
		left_s = s;
		if (job->interval > 0)
			stop = fmin(stop, p->saved + job->interval);
		s = (stop - p->work) / steps_per_s;
		if (!(s <= left_s)) {
			p->work += left_s * steps_per_s;
			p->now_s += left_s;
			return false;
		}
		p->work = stop;
		p->now_s += s;
		left_s -= s;
		if (job->interval > 0 && job->save_s > 0)
			p->saving_s = job->save_s;
		else if (job->interval > 0)
			p->saved = p->work;
	}
}

/* From now to @s, at which something changes. True: the job has ended. */
static bool pass(struct play *p, double s)
{
	const double steps_per_s = rate(p);
	const double from_s = fmin(fmax(p->now_s, p->blocked_s), s);

	p->now_s = from_s;
	if (steps_per_s > 0 && s > from_s && compute(p, steps_per_s, s - from_s))
		return true;
	p->now_s = s;
	return false;
}

/* One of the launches recorded, or what is expected. */
static double draw_launch(struct play *p, const struct pl_spot_part *part)
{
	return part->n_launches ? part->launches_s[pl_rng_below(&p->rng, part->n_launches)]
				: part->launch_s;
}

/* A machine was lost, also one that had not joined yet. */
static void lose(struct play *p, struct machine *m)
{
	const struct pl_spot_job *job = p->job;
	const bool had_joined = m->state == COMPUTES;

	pay(p, m);
	p->n_losses++;
	if (had_joined && !job->keeps) {
		p->redone += p->work - p->saved;
		p->work = p->saved;
		p->saving_s = 0;
	}
	m->state = GONE;
	m->ends_s = INFINITY;
	if (p->replacements) {
		p->replacements--;
		be_born(p, m, p->now_s + draw_launch(p, m->part));
		m->joins_s = m->since_s + m->part->join_s;
		m->state = COMES;
	}
	if (had_joined && !job->keeps && (job->goes_on || m->state == GONE))
		p->blocked_s = fmax(p->blocked_s, p->now_s + job->restart_s);
}

/* The machine at which something happens next. */
static struct machine *next(const struct play *p, double *at_s)
{
	struct machine *first = NULL;

	*at_s = INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		struct machine *m = &p->machine[i];
		const double s = m->state == COMES ? fmin(m->joins_s, m->ends_s) : m->ends_s;

		if (s < *at_s) {
			*at_s = s;
			first = m;
		}
	}
	return first;
}

/* Seconds until the job ends; INFINITY: it was given up. */
static double play(struct play *p)
{
	double s;

	while (p->now_s < p->give_up_s && p->n_losses < PL_REPLAY_LOSSES) {
		struct machine *m = next(p, &s);

		if (pass(p, fmin(s, p->give_up_s))) {
			for (size_t i = 0; i < p->n; i++)
				if (p->machine[i].state != GONE)
					pay(p, &p->machine[i]);
			return p->now_s;
		}
		if (!m || p->now_s < s)
			break;
		if (m->state == COMES && m->joins_s < m->ends_s)
			m->state = COMPUTES;
		else
			lose(p, m);
	}
	return INFINITY;
}

static void begin(struct play *p, const struct pl_spot_job *job, uint64_t seed, size_t k)
{
	struct machine *m = p->machine;
	struct pl_rng rng;

	*p = (struct play){
		.job = job,
		.machine = m,
		.n = p->n,
		.give_up_s = PL_REPLAY_GIVE_UP * pl_spot_plain_s(job),
		.replacements = job->replacements,
	};
	pl_rng_init(&p->rng, seed, k);
	/* prices change no life */
	pl_rng_init(&rng, seed, UINT64_MAX - k);
	p->record = pl_rng_double(&rng);
	for (size_t i = 0; i < job->n_parts; i++)
		for (size_t j = 0; j < job->part[i].count; j++, m++) {
			*m = (struct machine){.part = &job->part[i]};
			be_born(p, m, 0);
		}
}

void pl_replays_fini(struct pl_replays *r)
{
	free(r->seconds);
	free(r->dollars);
	free(r->seconds_of);
	free(r->dollars_of);
	*r = (struct pl_replays){0};
}

/* Means and orders what the replays left. */
static void sum_up(struct pl_replays *r)
{
	const double n = (double)r->n_ended;
	double sum = 0, dollars = 0;

	for (size_t k = 0; k < r->n; k++)
		if (isfinite(r->seconds[k])) {
			sum += r->seconds[k];
			dollars += r->dollars[k];
		}
	r->mean_s = sum / n;
	r->mean_dollars = isfinite(dollars) ? dollars / n : NAN;
	r->losses /= (double)r->n;
	r->redone /= (double)r->n;
	memcpy(r->seconds_of, r->seconds, r->n * sizeof(*r->seconds));
	memcpy(r->dollars_of, r->dollars, r->n * sizeof(*r->dollars));
	pl_sort_doubles(r->seconds, r->n);
	pl_sort_doubles(r->dollars, r->n);
}

int pl_replay(struct pl_replays *r, const struct pl_spot_job *job, size_t n, uint64_t seed,
	      struct pl_err *err)
{
	struct pl_replays made = {.n = n};
	struct play p = {0};

	for (size_t i = 0; i < job->n_parts; i++)
		p.n += job->part[i].count;
	p.machine = pl_array_create(p.n, sizeof(*p.machine));
	made.seconds = pl_array_create(n, sizeof(*made.seconds));
	made.dollars = pl_array_create(n, sizeof(*made.dollars));
	made.seconds_of = pl_array_create(n, sizeof(*made.seconds_of));
	made.dollars_of = pl_array_create(n, sizeof(*made.dollars_of));
	if (!p.machine || !made.seconds || !made.dollars || !made.seconds_of || !made.dollars_of) {
		free(p.machine);
		pl_replays_fini(&made);
		return pl_err_nomem(err);
	}
	for (size_t k = 0; k < n; k++) {
		const bool hopeless = k >= FIRST && made.n_ended == 0;

		begin(&p, job, seed, k);
		made.seconds[k] = hopeless ? INFINITY : play(&p);
		made.n_ended += isfinite(made.seconds[k]);
		made.dollars[k] =
			isfinite(made.seconds[k]) && !isnan(p.dollars) ? p.dollars : INFINITY;
		made.losses += (double)p.n_losses;
		made.redone += p.redone;
	}
	free(p.machine);
	sum_up(&made);
	*r = made;
	return 0;
}

double pl_replays_within(const struct pl_replays *r, double seconds)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (r->seconds[mid] <= seconds)
			low = mid + 1;
		else
			high = mid;
	}
	return (double)low / (double)r->n;
}

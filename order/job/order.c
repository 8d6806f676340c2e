/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c - one order of hosts for all communicators of a job */
#include "config.h"

#include "order/job/order.h"

#include "base/clock.h"
#include "base/mem.h"
#include "order/job/solve.h"
#include "order/solve-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each kind alone gets this part of the moves. */
#define ALONE_SHARE 4

struct problem {
	const struct pl_job *job;
	const struct pl_order_input *in;
	const struct pl_order_request *q;
	struct pl_stop stop;
	struct pl_job_cost_options cost;
	double *c, *per_byte; /* [n * n] one-way, in seconds; or distances */
	double unit;          /* of the input, in these */
	size_t *seat_of;      /* [n_ranks] */
	size_t *class;        /* [n] slots; NULL: all have the same */
	size_t *given;        /* [n] */
};

static void problem_fini(struct problem *p)
{
	free(p->c);
	free(p->per_byte);
	free(p->seat_of);
	free(p->class);
	free(p->given);
}

static double *scaled(const double *cell, size_t n, double by)
{
	double *to = pl_array_create(n * n, sizeof(*to));

	for (size_t i = 0; to && i < n * n; i++)
		to[i] = cell[i] * by;
	return to;
}

static int take_costs(struct problem *p)
{
	const struct pl_order_input *in = p->in;
	const size_t n = in->hosts.n;

	p->unit = in->unit == PL_LEVELS ? 1 : pl_unit_ns(in->unit) * 1e-9;
	p->c = scaled(in->c, n, in->round_trips ? p->unit / 2 : p->unit);
	if (in->per_byte)
		p->per_byte = scaled(in->per_byte, n, p->unit);
	return p->c && !p->per_byte == !in->per_byte ? 0 : -1;
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
	return pl_err_set(err, PL_EINPUT,
			  "the job has %zu ranks, the hosts have %zu slots: "
			  "give them slots=N in the host list",
			  p->job->n_ranks, n);
}

static int problem_init(struct problem *p, struct pl_err *err)
{
	if (check_ranks(p, err))
		return -1;
	if (take_costs(p) || take_seats(p))
		return pl_err_nomem(err);
	p->cost = (struct pl_job_cost_options){
		.job = p->job,
		.seats = {p->in->hosts.n, p->seat_of},
		.costs = {.n = p->in->hosts.n,
			  .c = p->c,
			  .per_byte = p->per_byte},
		.library = p->q->names.impl,
		.only = SIZE_MAX,
	};
	return 0;
}

/* Searches for the kinds of p->cost; @shown: its progress is shown, from the
 * given cost on. */
static int search(struct problem *p, uint64_t moves, double bound,
		  const double *shown, size_t *host_at,
		  struct pl_job_search_result *found, struct pl_err *err)
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
		const struct pl_order_problem view = {
			.q = p->q, .stop = &p->stop, .cost = *shown};

		o.progress = pl_order_show(&show, &view, bound, moves);
		o.progress_arg = &show;
	}
	rc = pl_job_search(&p->cost, &o, host_at, found, err);
	if (shown)
		pl_order_show_end(&show);
	return rc;
}

/* The bound of the kind in p->cost.only. */
static int find_bound(struct problem *p, struct pl_job_part *part,
		      struct pl_err *err)
{
	struct pl_job_cost *c = pl_job_cost_create(&p->cost, err);
	int rc;

	if (!c)
		return -1;
	rc = pl_job_bound(c, p->given, &part->bound) ? pl_err_nomem(err) : 0;
	pl_job_cost_destroy(c);
	part->alone = NAN;
	return rc;
}

/* The best order of that kind alone. */
static int find_alone(struct problem *p, uint64_t moves, size_t *host_at,
		      struct pl_job_part *part, struct pl_err *err)
{
	struct pl_job_search_result found;

	memcpy(host_at, p->given, p->in->hosts.n * sizeof(*host_at));
	if (search(p, moves, part->bound, NULL, host_at, &found, err))
		return -1;
	part->alone = found.cost;
	if (found.exact)
		part->bound = found.cost;
	return 0;
}

/* Bounds of the kinds and, with @scratch[n hosts], their best orders. */
static int find_parts(struct problem *p, struct pl_job_answer *a,
		      uint64_t moves, size_t *scratch, struct pl_err *err)
{
	int rc = 0;

	a->kind = pl_array_create(p->job->n_kinds, sizeof(*a->kind));
	if (!a->kind)
		return pl_err_nomem(err);
	a->n = p->job->n_kinds;
	for (size_t k = 0; rc == 0 && k < a->n; k++) {
		p->cost.only = k;
		rc = find_bound(p, &a->kind[k], err);
		if (rc == 0 && scratch)
			rc = find_alone(p, moves / ALONE_SHARE, scratch,
					&a->kind[k], err);
		a->bound += a->kind[k].bound;
	}
	p->cost.only = SIZE_MAX;
	return rc;
}

/* The costs of all kinds in an order. */
static int tell_parts(const struct problem *p, struct pl_job_answer *a,
		      const size_t *host_at, bool given, struct pl_err *err)
{
	struct pl_job_cost *c = pl_job_cost_create(&p->cost, err);
	double all;

	if (!c)
		return -1;
	all = pl_job_cost_set(c, host_at);
	*(given ? &a->given : &a->found) = all;
	for (size_t k = 0; k < a->n; k++)
		*(given ? &a->kind[k].given : &a->kind[k].found) =
			pl_job_cost_kind(c, k);
	pl_job_cost_destroy(c);
	return 0;
}

/* The given order stays where less is gained than was asked for. */
static void keep_given(struct problem *p, struct pl_order_result *r)
{
	const double gain = pl_order_gain(r->cost_given, r->cost);
	const size_t bytes = p->in->hosts.n * sizeof(*r->host_at);

	if (p->q->min_gain > 0 && gain > 0 && gain < p->q->min_gain) {
		r->kept = true;
		r->gain_missed = gain;
		r->cost = r->cost_given;
		memcpy(r->host_at, p->given, bytes);
	}
	r->unchanged = memcmp(r->host_at, p->given, bytes) == 0;
}

static int solve(struct problem *p, struct pl_order_result *r,
		 struct pl_job_answer *a, struct pl_err *err)
{
	const size_t n = p->in->hosts.n;
	const uint64_t moves = pl_order_moves(p->q, pl_job_search_moves(n));
	struct pl_job_search_result found;
	int64_t begin = pl_clock_ns();

	r->host_at = pl_array_create(n, sizeof(*r->host_at));
	if (!r->host_at)
		return pl_err_nomem(err);
	/* with a deadline the kinds alone get the default moves */
	if (find_parts(p, a, p->q->time_ns ? pl_job_search_moves(n) : moves,
		       r->host_at, err))
		return -1;
	r->bound_seconds = pl_order_seconds_since(begin);
	if (tell_parts(p, a, p->given, true, err))
		return -1;
	begin = pl_clock_ns();
	memcpy(r->host_at, p->given, n * sizeof(*r->host_at));
	if (search(p, moves, a->bound, &a->given, r->host_at, &found, err))
		return -1;
	r->solve_seconds = pl_order_seconds_since(begin);
	r->cost_given = found.cost_given / p->unit;
	r->cost = found.cost / p->unit;
	r->bound = a->bound / p->unit;
	r->exact = found.exact;
	if (r->exact)
		r->bound = r->cost;
	r->moves = found.moves;
	r->threads = p->q->threads;
	r->stopped = p->stop.flag && *p->stop.flag;
	r->hops = r->hops_given = NAN;
	keep_given(p, r);
	return 0;
}

int pl_job_order(struct pl_order_result *r, struct pl_job_answer *a,
		 const struct pl_job *job, const struct pl_order_input *in,
		 const struct pl_order_request *q, const struct pl_stop *stop,
		 struct pl_err *err)
{
	struct problem p = {.job = job, .in = in, .q = q, .stop = *stop};
	int rc = problem_init(&p, err);

	a->in_seconds = in->unit != PL_LEVELS;
	if (rc == 0)
		rc = solve(&p, r, a, err);
	if (rc == 0)
		rc = tell_parts(&p, a, r->host_at, false, err);
	problem_fini(&p);
	return rc;
}

int pl_job_order_cost(struct pl_order_result *r, struct pl_job_answer *a,
		      const struct pl_job *job, const struct pl_order_input *in,
		      const struct pl_order_request *q, struct pl_err *err)
{
	struct problem p = {.job = job, .in = in, .q = q};
	int rc = problem_init(&p, err);

	a->in_seconds = in->unit != PL_LEVELS;
	if (rc == 0)
		rc = find_parts(&p, a, 0, NULL, err);
	if (rc == 0)
		rc = tell_parts(&p, a, p.given, true, err);
	if (rc == 0)
		rc = tell_parts(&p, a, r->host_at, false, err);
	if (rc == 0) {
		r->cost_given = a->given / p.unit;
		r->cost = a->found / p.unit;
		r->bound = a->bound / p.unit;
		r->hops = r->hops_given = NAN;
	}
	problem_fini(&p);
	return rc;
}

void pl_job_answer_fini(struct pl_job_answer *a)
{
	free(a->kind);
	memset(a, 0, sizeof(*a));
}

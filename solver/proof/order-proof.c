/* SPDX-License-Identifier: BSD-3-Clause */
/* order-proof.c - finds orders cheaper than the best so far, or proves that there are none */
#include "config.h"

#include "solver/proof/order-proof.h"

#include "base/mem.h"
#include "base/rng.h"
#include "solver/order/order-search.h"
#include "solver/proof/order-encode.h"

#include <stdlib.h>
#include <string.h>

/* After so many windows in a row without a gain, for each host, no more are tried. */
#define BARREN 4

struct proof {
	const struct pl_proof_options *o;
	size_t n;
	struct pl_objective *objective;
	size_t *slots, *pos_host; /* [n], [n_pos] */
	size_t *host_at, *found;  /* [n] best; scratch */
	size_t *seat;             /* [n] of a window */
	uint64_t work;
	struct pl_proof_result *result;
	bool ended; /* time or work is used up */
};

bool pl_proof_built(void)
{
	return pl_pb_built();
}

size_t pl_proof_hosts(enum pl_shape_kind kind)
{
	return kind == PL_SUM ? PL_PROOF_ALL_SUM : PL_PROOF_ALL_MAX;
}

static double cost_of(struct proof *t, const size_t *host_at)
{
	pl_order_expand(host_at, t->n, t->slots, t->pos_host);
	return pl_objective_full(t->objective, t->pos_host);
}

/* Takes an order that was found. False: it is not cheaper after all. */
static bool take(struct proof *t, const struct pl_encoding *e)
{
	double cost;

	pl_encoding_read(e, t->found);
	cost = cost_of(t, t->found);
	if (cost >= t->result->cost)
		return false;
	memcpy(t->host_at, t->found, t->n * sizeof(*t->found));
	t->result->cost = cost;
	t->result->found++;
	return true;
}

/* Asks until there is no cheaper order. */
static int ask(struct proof *t, struct pl_encoding *e, double *bound, struct pl_err *err)
{
	for (;;) {
		enum pl_pb_answer answer;
		double below;

		if (pl_encoding_tighten(e, t->result->cost, &below, err) ||
		    pl_pb_solve(e->pb, t->o->stop, &t->work, &answer, err))
			return -1;
		t->result->asked++;
		if (answer == PL_PB_NO)
			*bound = below;
		t->ended = answer == PL_PB_UNKNOWN;
		if (answer != PL_PB_YES || !take(t, e))
			return 0;
	}
}

/* Where the hosts on t->seat[k] may change places. */
static int improve(struct proof *t, size_t k, double *bound, struct pl_err *err)
{
	const bool with_first = t->seat[0] == 0;
	size_t *before = pl_array_create(t->n, sizeof(*before));
	const struct pl_encode_problem p = {
		.shape = t->o->shape,
		.costs = t->o->costs,
		.alike = t->o->alike,
		.host_at = before,
		.cost = t->result->cost,
		.seat = t->seat,
		.n_free = k,
		.first_stays = t->o->first_stays && with_first,
		.may_lead = t->o->may_lead,
	};
	struct pl_encoding e = {.n_sums = 0};
	int rc;

	if (!before)
		return pl_err_nomem(err);
	memcpy(before, t->host_at, t->n * sizeof(*before));
	rc = pl_encode(&e, &p, err);
	if (rc == 0)
		rc = ask(t, &e, bound, err);
	pl_encoding_fini(&e);
	free(before);
	t->ended = t->ended || pl_stop_now(t->o->stop) || (t->o->work > 0 && t->work <= 1);
	return rc;
}

/* Brings @seat to place @to of the window, where it is not in front of it. */
static void pull(struct proof *t, size_t seat, size_t to)
{
	for (size_t s = to; s < t->n; s++)
		if (t->seat[s] == seat) {
			t->seat[s] = t->seat[to];
			t->seat[to] = seat;
		}
}

/* Both seats of a hop that makes the cost what it is: it stays that as long as neither changes. How
 * many of them are in front now. */
static size_t pull_critical(struct proof *t, struct pl_rng *rng)
{
	size_t ends[2];

	pl_order_expand(t->host_at, t->n, t->slots, t->pos_host);
	pl_objective_set(t->objective, t->pos_host);
	if (pl_objective_critical(t->objective, pl_rng_u64(rng), ends))
		return 0;
	pull(t, ends[0] / t->o->alike, 0);
	pull(t, ends[1] / t->o->alike, 1);
	return 2;
}

/* Window number @k: along the order in steps of half of one where costs are added up; then, and
 * else, at random, with the ends of a critical hop. */
static void choose_window(struct proof *t, uint64_t k, struct pl_rng *rng)
{
	const uint64_t step = PL_PROOF_WINDOW / 2;
	size_t n = 0;

	for (size_t s = 0; s < t->n; s++)
		t->seat[s] = s;
	if (t->o->shape->kind == PL_SUM && k * step < t->n) {
		for (; n < PL_PROOF_WINDOW; n++)
			t->seat[n] = (size_t)(k * step + n) % t->n;
		return;
	}
	for (n = pull_critical(t, rng); n < PL_PROOF_WINDOW; n++)
		pull(t, t->seat[n + pl_rng_below(rng, t->n - n)], n);
}

static int improve_windows(struct proof *t, struct pl_err *err)
{
	uint64_t k = 0, last = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, t->o->seed, 0);
	while (!t->ended && k - last < BARREN * t->n) {
		const uint64_t found = t->result->found;
		double bound = 0;

		choose_window(t, k++, &rng);
		if (improve(t, PL_PROOF_WINDOW, &bound, err))
			return -1;
		if (t->result->found > found)
			last = k;
	}
	return 0;
}

static int prove(struct proof *t, struct pl_err *err)
{
	double before;

	t->result->cost = cost_of(t, t->host_at);
	if (t->n < 2 || t->result->cost == 0)
		return 0;
	if (t->n > pl_proof_hosts(t->o->shape->kind))
		return improve_windows(t, err);
	for (size_t s = 0; s < t->n; s++)
		t->seat[s] = s;
	do { /* from an order that is far too expensive, the units are coarse */
		before = t->result->cost;
		if (improve(t, t->n, &t->result->bound, err))
			return -1;
	} while (!t->ended && t->result->cost > 0 && t->result->cost < before / 2);
	return 0;
}

int pl_order_prove(const struct pl_proof_options *options, size_t *host_at,
		   struct pl_proof_result *result, struct pl_err *err)
{
	const size_t n = options->costs->n;
	struct proof t = {
		.o = options,
		.n = n,
		.host_at = host_at,
		.work = options->work,
		.result = result,
		.slots = pl_array_create(n, sizeof(*t.slots)),
		.pos_host = pl_array_create(n * options->alike, sizeof(*t.pos_host)),
		.found = pl_array_create(n, sizeof(*t.found)),
		.seat = pl_array_create(n, sizeof(*t.seat)),
	};
	int rc = -1;

	*result = (struct pl_proof_result){.cost = 0};
	if (!t.slots || !t.pos_host || !t.found || !t.seat) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t h = 0; h < n; h++)
		t.slots[h] = options->alike;
	t.objective = pl_objective_create(options->shape, options->costs, err);
	if (!t.objective)
		goto out;
	rc = prove(&t, err);
	result->stopped = pl_stop_now(options->stop);
out:
	pl_objective_destroy(t.objective);
	free(t.slots);
	free(t.pos_host);
	free(t.found);
	free(t.seat);
	return rc;
}

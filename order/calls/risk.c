/* SPDX-License-Identifier: BSD-3-Clause */
/* risk.c - what an order gains, and how likely a call is slower in it */
#include "config.h"

#include "order/calls/risk.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After so many networks it may be clear: the chance is below or above these, in percent. */
#define DRAWS_LEAST 6
#define CLEARLY_NO (PL_ORDER_CHANCE / 100)
#define CLEARLY_YES 90.0

/* No variance is 0. */
#define TINY 1e-18

/* Logarithms of found / given of a call. */
struct ratios {
	double sum, squares;
};

void pl_order_odds_fini(struct pl_order_odds *odds)
{
	free(odds->given);
	memset(odds, 0, sizeof(*odds));
}

static double predicted(const struct pl_order_candidates *c, size_t order, size_t call)
{
	const double given = pl_order_candidate_time(c, 0, call);

	return given > 0 ? pl_order_candidate_time(c, order, call) / given : 1;
}

/* Of --accept-loss: by so many percent, as predicted. */
static double limit_of(const struct pl_order_candidates *c)
{
	return 1 + fmax(c->q->accept_loss, PL_ORDER_SLOWER) / 100;
}

/* What is predicted, as if it were certain. Is there nothing to weigh? */
static bool is_certain(const struct pl_order_candidates *c, size_t order,
		       struct pl_order_risk *risk)
{
	*risk = (struct pl_order_risk){0};
	for (size_t i = 0; i < c->w->n; i++) {
		const double ratio = predicted(c, order, i);

		risk->gain += 100 * c->w->v[i].weight * (1 - ratio);
		if (ratio > predicted(c, order, risk->call))
			risk->call = i;
	}
	if (predicted(c, order, risk->call) > limit_of(c))
		risk->chance = 100;
	return risk->chance > 0 || order == 0 || !c->in_seconds || c->q->accept_loss > 0;
}

/* The calls' ratios on the @k-th network that is drawn; time[w->n] is scratch. */
static int compare(struct pl_order_odds *odds, struct pl_order_candidates *c, size_t order,
		   size_t k, double *time, struct ratios *ratios, struct pl_err *err)
{
	const size_t n = c->w->n;
	double *given = odds->given + k * n;
	struct pl_order_drawn d = {0};
	int rc = pl_order_draw(&d, &odds->spread, c->in, c->q, k, err);

	if (rc == 0 && !(given[0] > 0))
		rc = pl_order_candidates_play(c, &d, 0, given, err);
	if (rc == 0)
		rc = pl_order_candidates_play(c, &d, order, time, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const double x = given[i] > 0 && time[i] > 0 ? log(time[i] / given[i]) : 0;

		ratios[i].sum += x;
		ratios[i].squares += x * x;
	}
	pl_network_fini(&d.net);
	return rc;
}

/* From @n networks. */
static void conclude(const struct pl_order_candidates *c, const struct ratios *ratios, size_t n,
		     struct pl_order_risk *risk)
{
	*risk = (struct pl_order_risk){.chance = -1};
	for (size_t i = 0; i < c->w->n; i++) {
		const double mean = ratios[i].sum / (double)n;
		const double variance =
			fmax(ratios[i].squares - mean * ratios[i].sum, TINY) / (double)(n - 1);
		const double over = log(limit_of(c)) - mean;
		const double chance = 50 * erfc(over / sqrt(2 * variance));

		risk->gain += 100 * c->w->v[i].weight * (1 - exp(mean + variance / 2));
		if (chance > risk->chance) {
			risk->chance = chance;
			risk->call = i;
		}
	}
}

/* Do more networks than these @n make no difference? */
static bool is_clear(const struct pl_order_risk *risk, size_t n)
{
	return n >= DRAWS_LEAST && (risk->chance < CLEARLY_NO || risk->chance > CLEARLY_YES);
}

static int begin(struct pl_order_odds *odds, const struct pl_order_candidates *c,
		 struct pl_err *err)
{
	if (odds->given)
		return 0;
	if (pl_order_spread_of(&odds->spread, c->in, err))
		return -1;
	odds->given = pl_array_create(PL_ORDER_DRAWS * c->w->n, sizeof(*odds->given));
	return odds->given ? 0 : pl_err_nomem(err);
}

int pl_order_weigh(struct pl_order_odds *odds, struct pl_order_candidates *c, size_t order,
		   struct pl_order_risk *risk, struct pl_err *err)
{
	struct ratios *ratios;
	double *time;
	int rc;

	if (is_certain(c, order, risk))
		return 0;
	ratios = pl_array_create(c->w->n, sizeof(*ratios));
	time = pl_array_create(c->w->n, sizeof(*time));
	rc = ratios && time ? begin(odds, c, err) : pl_err_nomem(err);
	for (size_t k = 0; rc == 0 && k < PL_ORDER_DRAWS && !is_clear(risk, k); k++) {
		rc = compare(odds, c, order, k, time, ratios, err);
		if (rc == 0 && k > 0)
			conclude(c, ratios, k + 1, risk);
	}
	free(time);
	free(ratios);
	return rc;
}

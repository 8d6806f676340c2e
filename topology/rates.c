/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - the rates of cards, from flows between hosts */
#include "config.h"

#include "topology/rates.h"

#include "base/mem.h"
#include "topology/rates-parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Of so many values the greatest, if it stands out, is taken for noise; unless by so much that it
 * is of another kind. */
#define MANY 4
#define KIND 1.3

int pl_rate_flows_add(struct pl_rate_flows *f, const struct pl_rate_flow *flow)
{
	if (pl_array_grow((void **)&f->v, &f->room, f->n, sizeof(*f->v)))
		return -1;
	f->v[f->n++] = *flow;
	return 0;
}

void pl_rate_flows_fini(struct pl_rate_flows *f)
{
	free(f->v);
	*f = (struct pl_rate_flows){0};
}

void pl_rates_top_most(struct pl_rates_top *top, double value)
{
	top->n_all++;
	if (value > top->most) {
		top->next = top->most;
		top->most = value;
	} else {
		top->next = fmax(top->next, value);
	}
}

double pl_rates_top_base(const struct pl_rates_top *top)
{
	return top->n_all < MANY || top->most > KIND * top->next ? top->most : top->next;
}

void pl_rates_top_near(struct pl_rates_top *top, double value)
{
	const double base = pl_rates_top_base(top);

	if (fabs(value - base) > base * PL_RATES_NEAR)
		return;
	top->sum += value;
	top->n_near++;
}

double pl_rates_top_bps(const struct pl_rates_top *top)
{
	return top->n_near > 0 ? top->sum / (double)top->n_near * 8 / PL_TIERS_TCP_SHARE : 0;
}

bool pl_rates_flowed(const struct pl_rate_flow *flow)
{
	return flow->bytes_per_s > 0; /* and no NaN */
}

size_t pl_rates_n_flows(const struct pl_rate_flows *f, size_t n_hosts)
{
	return f->n + (f->alone ? n_hosts * n_hosts : 0);
}

struct pl_rate_flow pl_rates_flow(const struct pl_rate_flows *f, size_t n_hosts, size_t k)
{
	const size_t at = k - f->n;

	if (k < f->n)
		return f->v[k];
	return (struct pl_rate_flow){
		.set = SIZE_MAX - at,
		.src = at / n_hosts,
		.dst = at % n_hosts,
		.bytes_per_s = f->alone[at],
	};
}

/* A card of a host, one way: by flows within its rack, and by all others, which uplinks may have
 * held back. */
struct card {
	struct pl_rates_top inner, outer;
};

static void offer(struct card *card, const struct pl_tiers *t, const struct pl_rate_flow *flow,
		  void (*take)(struct pl_rates_top *, double))
{
	struct card *out = &card[2 * flow->src], *in = &card[2 * flow->dst + 1];
	const bool inner = t->rack[flow->src] == t->rack[flow->dst];

	if (!pl_rates_flowed(flow))
		return;
	take(inner ? &out->inner : &out->outer, flow->bytes_per_s);
	take(inner ? &in->inner : &in->outer, flow->bytes_per_s);
}

/* Partners of the rack may all be slower. */
static double card_bps(const struct card *card)
{
	const double inner = pl_rates_top_bps(&card->inner);
	const double outer = pl_rates_top_bps(&card->outer);

	return outer > inner * (1 + PL_RATES_NEAR) ? outer : inner;
}

static void offer_all(struct card *card, const struct pl_tiers *t, const struct pl_rate_flows *f,
		      void (*take)(struct pl_rates_top *, double))
{
	const size_t n_flows = pl_rates_n_flows(f, t->n);

	for (size_t k = 0; k < n_flows; k++) {
		const struct pl_rate_flow flow = pl_rates_flow(f, t->n, k);

		offer(card, t, &flow, take);
	}
}

static int infer_cards(struct pl_tiers *t, const struct pl_rate_flows *f)
{
	struct card *card = pl_array_create(t->n, 2 * sizeof(*card));

	if (!card)
		return -1;
	offer_all(card, t, f, pl_rates_top_most);
	offer_all(card, t, f, pl_rates_top_near);
	for (size_t h = 0; h < t->n; h++) {
		t->card[h].out_bps = card_bps(&card[2 * h]);
		t->card[h].in_bps = card_bps(&card[2 * h + 1]);
	}
	free(card);
	return 0;
}

int pl_rates_infer(struct pl_tiers *t, const struct pl_rate_flows *f, struct pl_err *err)
{
	return infer_cards(t, f) || pl_rates_uplinks(t, f) ? pl_err_nomem(err) : 0;
}

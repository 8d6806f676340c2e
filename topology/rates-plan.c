/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan.c - which few flows show the rates of cards and uplinks */
#include "config.h"

#include "topology/rates-plan.h"

#include "base/mem.h"
#include "base/tournament.h"
#include "topology/rates-plan-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds in a rack: where all get the same, where they do not, and those after which slow hosts
 * meet fast ones. */
#define ROUNDS_EQUAL 2
#define ROUNDS_MOST 4
#define ROUNDS_UNEQUAL 2
#define EQUAL 0.1 /* rates differ by less than this share */

/* How many groups a group is in at most, usually. */
#define LEVELS_USUAL 2

void pl_rates_plan_fini(struct pl_rates_plan *p)
{
	if (p->asked)
		pl_tiers_fini(&p->t);
	pl_rate_flows_fini(&p->flows);
	free(p->v);
	free(p->up);
	free(p->met);
	free(p->most);
	free(p->host);
	free(p->other);
	free(p->key);
	free(p->group);
	free(p->load);
	*p = (struct pl_rates_plan){0};
}

static int begin(struct pl_rates_plan *p, const struct pl_matrix *m, struct pl_err *err)
{
	const size_t n = m->hosts.n;

	if (pl_rates_known_groups(&p->t, m, err))
		return -1;
	p->asked = true;
	p->v = pl_array_create(n, sizeof(*p->v));
	p->up = pl_array_create(n, sizeof(*p->up));
	p->met = pl_array_create(n, sizeof(*p->met));
	p->most = pl_array_create(n, sizeof(*p->most));
	p->host = pl_array_create(n, sizeof(*p->host));
	p->other = pl_array_create(n, sizeof(*p->other));
	p->key = pl_array_create(n, sizeof(*p->key));
	p->group = pl_array_create(p->t.n_groups, sizeof(*p->group));
	p->load = pl_array_create(p->t.n_groups, sizeof(*p->load));
	return p->v && p->up && p->met && p->most && p->host && p->other && p->key && p->group &&
			       p->load
		       ? 0
		       : pl_err_nomem(err);
}

/* The set that was measured. */
static int take(struct pl_rates_plan *p)
{
	for (size_t k = 0; k < p->n; k++) {
		const struct pl_probe_flow *v = &p->v[k];
		const struct pl_rate_flow flow = {
			.set = p->n_sets,
			.src = v->src,
			.dst = v->dst,
			.bytes_per_s = v->bytes_per_s,
			.doubted = v->doubted,
		};

		if (pl_rate_flows_add(&p->flows, &flow))
			return -1;
		p->most[v->src] = fmax(p->most[v->src], v->bytes_per_s);
		p->most[v->dst] = fmax(p->most[v->dst], v->bytes_per_s);
	}
	p->n_sets += p->n > 0;
	return 0;
}

/* Did all flows within the rack get the same rate? */
static bool is_equal(const struct pl_rates_plan *p, size_t rack)
{
	double least = INFINITY, most = 0;

	for (size_t k = 0; k < p->flows.n; k++) {
		const struct pl_rate_flow *f = &p->flows.v[k];

		if (p->t.rack[f->src] != rack || p->t.rack[f->dst] != rack || isnan(f->bytes_per_s))
			continue;
		least = fmin(least, f->bytes_per_s);
		most = fmax(most, f->bytes_per_s);
	}
	return least >= most * (1 - EQUAL);
}

/* Without groups all hosts are one group. */
static size_t n_racks(const struct pl_rates_plan *p)
{
	return p->t.n_groups > 0 ? p->t.n_groups : 1;
}

static size_t rack_number(const struct pl_rates_plan *p, size_t k)
{
	return p->t.n_groups > 0 ? k : PL_NO_GROUP;
}

static void list_cards(struct pl_rates_plan *p)
{
	for (size_t k = 0; k < n_racks(p); k++) {
		const size_t rack = rack_number(p, k);
		size_t n;

		if ((p->step >= ROUNDS_EQUAL && is_equal(p, rack)) ||
		    (p->t.n_groups > 0 && !pl_tiers_is_rack(&p->t, rack)))
			continue;
		n = pl_rates_plan_hosts(p, rack, p->host);
		if (p->step >= pl_tournament_rounds(n))
			continue;
		for (size_t i = 0; i < n; i++) {
			const size_t j = pl_tournament_peer(n, p->step, i);

			if (j != PL_TOURNAMENT_REST && i < j)
				pl_rates_plan_add(p, p->host[i], p->host[j]);
		}
	}
}

static void sort_by_most(const struct pl_rates_plan *p, size_t *host, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const size_t h = host[i];
		size_t k = i;

		for (; k > 0 && p->most[host[k - 1]] > p->most[h]; k--)
			host[k] = host[k - 1];
		host[k] = h;
	}
}

/* Slow hosts with fast ones, which may not have met. */
static void list_unequal(struct pl_rates_plan *p)
{
	for (size_t k = 0; k < n_racks(p); k++) {
		const size_t rack = rack_number(p, k);
		size_t n;

		if (p->t.n_groups > 0 && !pl_tiers_is_rack(&p->t, rack))
			continue;
		n = pl_rates_plan_hosts(p, rack, p->host);
		if (pl_tournament_rounds(n) <= ROUNDS_MOST || is_equal(p, rack))
			continue; /* all have met, or need not */
		sort_by_most(p, p->host, n);
		for (size_t i = 0; i < n / 2; i++) {
			const size_t slow = p->step == 0 ? i : i + n % 2;
			const size_t fast = p->step == 0 ? n - 1 - i : n - n / 2 + i;

			pl_rates_plan_add(p, p->host[slow], p->host[fast]);
		}
	}
}

/* The sets of each stage; stages without flows are skipped. */
static void list_set(struct pl_rates_plan *p)
{
	switch (p->stage) {
	case PL_RATES_CARDS:
		list_cards(p);
		break;
	case PL_RATES_UNEQUAL:
		list_unequal(p);
		break;
	default:
		pl_rates_plan_between(p, p->stage);
	}
}

static void advance(struct pl_rates_plan *p)
{
	static const size_t n_steps[] = {ROUNDS_MOST, ROUNDS_UNEQUAL, PL_RATES_ROUNDS_LONE,
					 PL_RATES_SETS_MOST, PL_RATES_SETS_AGAIN};
	const size_t n_levels = pl_rates_levels(&p->t);

	if (++p->step < n_steps[p->stage])
		return;
	p->step = 0;
	if (p->stage >= PL_RATES_LONE && p->level++ < n_levels)
		return;
	p->level = 1;
	p->stage++;
	if (p->stage == PL_RATES_LONE && n_levels == 0)
		p->stage = PL_RATES_DONE;
}

static int next(void *arg, const struct pl_matrix *m, const bool *lost, struct pl_probe_flow **flow,
		size_t *n, bool *apart, struct pl_err *err)
{
	struct pl_rates_plan *p = arg;

	if (!p->asked && begin(p, m, err))
		return -1;
	if (take(p))
		return pl_err_nomem(err);
	for (size_t h = 0; h < p->t.n; h++)
		p->up[h] = !lost[h];
	for (p->n = 0; p->n == 0 && p->stage != PL_RATES_DONE; advance(p)) {
		memset(p->met, 0, p->t.n * sizeof(*p->met));
		if (p->stage == PL_RATES_AGAIN && p->step == 0 &&
		    pl_rates_infer(&p->t, &p->flows, err))
			return -1;
		list_set(p);
		*apart = p->stage < PL_RATES_UPLINKS;
	}
	p->all = p->n == 0;
	*flow = p->v;
	*n = p->n;
	return 0;
}

void pl_rates_plan_init(struct pl_rates_plan *p, size_t n_hosts)
{
	struct pl_probe_flow_chooser *c = &p->chooser;
	const size_t n_rounds = pl_tournament_rounds(n_hosts);
	const size_t uplinks = n_hosts / 2 < PL_RATES_SETS_MOST ? n_hosts / 2 : PL_RATES_SETS_MOST;

	c->next = next;
	c->arg = p;
	c->flows_most = 2 * (n_hosts / 2);
	if (n_rounds >= 2)
		c->flows_most *=
			ROUNDS_MOST + ROUNDS_UNEQUAL +
			LEVELS_USUAL * (PL_RATES_ROUNDS_LONE + uplinks + PL_RATES_SETS_AGAIN);
}

int pl_rates_plan_finish(struct pl_rates_plan *p, struct pl_matrix *m, char text[PL_RATES_TEXT],
			 struct pl_err *err)
{
	struct pl_tiers t = {0}, *found = &t;
	int rc = -1;

	text[0] = '\0';
	if (pl_rates_are_told(m))
		return 0;
	if (p->all) {
		found = &p->t;
		rc = pl_rates_infer(found, &p->flows, err);
	} else {
		rc = pl_rates_known_groups(&t, m, err);
	}
	if (rc == 0 && (found->n_groups > 0 || pl_tiers_have_rates(found) || pl_rates_too_few(m))) {
		pl_rates_describe(found, m, text);
		rc = pl_tiers_write(found, m, err);
	}
	pl_tiers_fini(&t);
	return rc;
}

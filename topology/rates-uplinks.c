/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-uplinks.c - the rates of uplinks, from flows that share them */
#include "config.h"

#include "topology/rates-parts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Flows hold one another back if all get less than this share of their rates alone. */
#define HELD_SHARE 0.87

/* A link is at its most from this share of it; another one may explain what a flow gets from that
 * share of its own on. */
#define FULL_SHARE 0.9
#define RIVAL_SHARE 0.9

/* It is the link that limits where no other one explains this share of what flows lack; or where it
 * is full in this share of sets that are held, and those that explain it may themselves be
 * explained by it. */
#define OWN_SHARE 0.4
#define OFTEN_SHARE 0.5

/* One direction of a group's uplink; links are numbered 2 * group, + 1 for
 * in. */
struct link {
	double lone;             /* most of a flow that has all its links for itself */
	double most;             /* that passes in others, less what may be noise */
	struct pl_rates_top top; /* what passes in sets that are held */
	size_t n_full;           /* of these sets, those in which it is full */
	/* proven: in some set no other link explains what its flows lack; open: in some set no
	 * other link that is proven does */
	bool proven, open;
	/* of the set looked at: what passes, what would if each flow were lone, and how much of the
	 * difference another link explains */
	double load, could, alien;
	size_t n_flows;
	bool doubted, held;
};

struct work {
	const struct pl_tiers *t;
	const struct pl_rate_flows *f;
	struct link *link; /* [2 * n_groups] */
	size_t *used;      /* [n_used] links of the set looked at */
	size_t n_used;
	size_t *path, *leave, *enter; /* [2 * n_groups], scratch */
	bool known_only;              /* links that are proven explain, and no others */
};

/* The links that a flow passes: in w->path; how many. */
static size_t find_path(const struct work *w, const struct pl_rate_flow *flow)
{
	struct pl_tiers_way way = {.leave = w->leave, .enter = w->enter};
	size_t n = 0;

	pl_tiers_cross(w->t, flow->src, flow->dst, &way);
	for (size_t i = 0; i < way.n_leave; i++)
		w->path[n++] = 2 * way.leave[i];
	for (size_t i = 0; i < way.n_enter; i++)
		w->path[n++] = 2 * way.enter[i] + 1;
	return n;
}

static void add_load(struct work *w, const struct pl_rate_flow *flow)
{
	for (size_t i = find_path(w, flow); i-- > 0;) {
		struct link *l = &w->link[w->path[i]];

		if (l->n_flows++ == 0)
			w->used[w->n_used++] = w->path[i];
		l->load += flow->bytes_per_s;
		l->doubted = l->doubted || flow->doubted;
	}
}

static double payload(double bps)
{
	return bps > 0 ? bps / 8 * PL_TIERS_TCP_SHARE : INFINITY;
}

/* What a flow would get without the others or, if that is not known, what it has got. */
static double lone_rate(const struct work *w, const struct pl_rate_flow *flow, size_t n_path)
{
	const size_t at = flow->src * w->t->n + flow->dst;
	double rate =
		fmin(payload(w->t->card[flow->src].out_bps), payload(w->t->card[flow->dst].in_bps));

	if (w->f->alone && w->f->alone[at] > 0)
		return fmax(w->f->alone[at], flow->bytes_per_s);
	for (size_t i = 0; i < n_path; i++)
		rate = fmin(rate, w->link[w->path[i]].lone);
	return fmax(rate, flow->bytes_per_s);
}

static void add_could(struct work *w, const struct pl_rate_flow *flow)
{
	const size_t n = find_path(w, flow);
	const double rate = lone_rate(w, flow, n);

	for (size_t i = 0; i < n; i++)
		w->link[w->path[i]].could += rate;
}

/* Of a flow that has all its links for itself. */
static void take_lone(struct work *w, const struct pl_rate_flow *flow)
{
	const size_t n = find_path(w, flow);

	for (size_t i = 0; i < n; i++)
		if (w->link[w->path[i]].n_flows > 1)
			return;
	for (size_t i = 0; i < n; i++) {
		struct link *l = &w->link[w->path[i]];

		l->lone = fmax(l->lone, flow->bytes_per_s);
	}
}

/* What has passed while nothing held it back passes again. */
static bool is_full(const struct link *l, double share)
{
	return l->held && l->load >= share * fmax(pl_rates_top_base(&l->top), l->most);
}

/* May it explain what flows get? */
static bool is_rival(const struct work *w, const struct link *l)
{
	return is_full(l, RIVAL_SHARE) && (l->proven || !w->known_only);
}

/* What a flow lacks that another link on its way may explain. */
static void add_alien(struct work *w, const struct pl_rate_flow *flow)
{
	const size_t n = find_path(w, flow);
	const double lack = lone_rate(w, flow, n) - flow->bytes_per_s;
	size_t n_rivals = 0;

	for (size_t i = 0; i < n; i++)
		n_rivals += is_rival(w, &w->link[w->path[i]]);
	for (size_t i = 0; i < n; i++) {
		struct link *l = &w->link[w->path[i]];

		if (n_rivals > is_rival(w, l))
			l->alien += lack;
	}
}

static void find_held(struct work *w)
{
	for (size_t i = 0; i < w->n_used; i++) {
		struct link *l = &w->link[w->used[i]];

		l->held = l->n_flows > 1 && !l->doubted && l->load < HELD_SHARE * l->could;
	}
}

static void take_held(struct work *w)
{
	find_held(w);
	for (size_t i = 0; i < w->n_used; i++) {
		struct link *l = &w->link[w->used[i]];

		if (l->held)
			pl_rates_top_most(&l->top, l->load);
		else if (!l->doubted)
			l->most = fmax(l->most, l->load * (1 - PL_RATES_NEAR));
	}
}

static void judge(struct work *w)
{
	for (size_t i = 0; i < w->n_used; i++) {
		struct link *l = &w->link[w->used[i]];
		const double lack = l->could - l->load;
		const bool own = lack - l->alien >= OWN_SHARE * lack;

		if (!is_full(l, FULL_SHARE))
			continue;
		if (w->known_only) {
			l->open = l->open || own;
			continue;
		}
		l->n_full++;
		l->proven = l->proven || own;
		pl_rates_top_near(&l->top, l->load);
	}
}

/* For each flow of a set that came through and takes uplinks. */
static void each(struct work *w, size_t begin, size_t end,
		 void (*take)(struct work *, const struct pl_rate_flow *))
{
	for (size_t k = begin; k < end; k++) {
		const struct pl_rate_flow flow = pl_rates_flow(w->f, w->t->n, k);

		if (pl_rates_flowed(&flow) && flow.src != flow.dst)
			take(w, &flow);
	}
}

enum pass { LONE, HELD, JUDGE };

static void look_at_set(struct work *w, size_t begin, size_t end, enum pass pass)
{
	for (size_t i = 0; i < w->n_used; i++) {
		struct link *l = &w->link[w->used[i]];

		l->load = l->could = l->alien = 0;
		l->n_flows = 0;
		l->doubted = l->held = false;
	}
	w->n_used = 0;
	each(w, begin, end, add_load);
	if (pass == LONE) {
		each(w, begin, end, take_lone);
		return;
	}
	each(w, begin, end, add_could);
	if (pass == HELD) {
		take_held(w);
		return;
	}
	find_held(w);
	each(w, begin, end, add_alien);
	judge(w);
}

static void look_at_all(struct work *w, enum pass pass)
{
	const size_t n_flows = pass == LONE ? pl_rates_n_flows(w->f, w->t->n) : w->f->n;
	size_t begin = 0;

	while (begin < n_flows) {
		const size_t set = pl_rates_flow(w->f, w->t->n, begin).set;
		size_t end = begin + 1;

		while (end < n_flows && pl_rates_flow(w->f, w->t->n, end).set == set)
			end++;
		look_at_set(w, begin, end, pass);
		begin = end;
	}
}

static double rate(const struct link *l)
{
	const bool often = (double)l->n_full >= OFTEN_SHARE * (double)l->top.n_all;

	return l->proven || (l->open && often) ? pl_rates_top_bps(&l->top) : 0;
}

int pl_rates_uplinks(struct pl_tiers *t, const struct pl_rate_flows *f)
{
	const size_t n_links = 2 * t->n_groups;
	struct work w = {.t = t, .f = f};
	int rc = -1;

	w.link = pl_array_create(n_links, sizeof(*w.link));
	w.used = pl_array_create(n_links, sizeof(*w.used));
	w.path = pl_array_create(n_links, sizeof(*w.path));
	w.leave = pl_array_create(n_links, sizeof(*w.leave));
	w.enter = pl_array_create(n_links, sizeof(*w.enter));
	if (w.link && w.used && w.path && w.leave && w.enter) {
		look_at_all(&w, LONE);
		look_at_all(&w, HELD);
		look_at_all(&w, JUDGE);
		w.known_only = true;
		look_at_all(&w, JUDGE);
		for (size_t g = 0; g < t->n_groups; g++) {
			t->uplink[g].out_bps = rate(&w.link[2 * g]);
			t->uplink[g].in_bps = rate(&w.link[2 * g + 1]);
		}
		rc = 0;
	}
	free(w.link);
	free(w.used);
	free(w.path);
	free(w.leave);
	free(w.enter);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - cards and uplinks: each passes on what comes, in the order it
 * comes */
#include "config.h"

#include "predict/links.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In listed[], where a packet leaves the sender's side. */
#define LATENCY UINT32_MAX

/* Cards out, cards in, uplinks up, uplinks down. */
enum { CARD_OUT, CARD_IN, UP, DOWN };

static size_t index_of(const struct pl_links *l, int kind, size_t i)
{
	const size_t n = l->net->n, n_groups = l->net->tiers.n_groups;
	const size_t from[] = {
		[CARD_OUT] = 0,
		[CARD_IN] = n,
		[UP] = 2 * n,
		[DOWN] = 2 * n + n_groups,
	};

	return from[kind] + i;
}

static void set_rate(struct pl_links *l, int kind, size_t i, double bps, double share)
{
	struct pl_shared_link *link = &l->link[index_of(l, kind, i)];

	if (bps > 0)
		link->s_per_byte = 8 / (share * bps);
	link->bound = kind == UP || kind == DOWN ? PL_BY_UPLINK : PL_BY_NIC;
}

int pl_links_init(struct pl_links *l, const struct pl_network *net, double share)
{
	const struct pl_tiers *t = &net->tiers;

	memset(l, 0, sizeof(*l));
	l->net = net;
	l->link = pl_array_create(2 * (net->n + t->n_groups), sizeof(*l->link));
	l->way.leave = pl_array_create(t->n_groups, sizeof(*l->way.leave));
	l->way.enter = pl_array_create(t->n_groups, sizeof(*l->way.enter));
	if (!l->link || !l->way.leave || !l->way.enter)
		return -1;
	for (size_t h = 0; h < net->n; h++) {
		set_rate(l, CARD_OUT, h, t->card[h].out_bps, share);
		set_rate(l, CARD_IN, h, t->card[h].in_bps, share);
	}
	for (size_t g = 0; g < t->n_groups; g++) {
		set_rate(l, UP, g, t->uplink[g].out_bps, share);
		set_rate(l, DOWN, g, t->uplink[g].in_bps, share);
	}
	return 0;
}

void pl_links_fini(struct pl_links *l)
{
	free(l->link);
	free(l->listed);
	free(l->way.leave);
	free(l->way.enter);
	memset(l, 0, sizeof(*l));
}

static int list(struct pl_links *l, uint32_t link)
{
	void *array = l->listed;

	if (pl_array_grow(&array, &l->listed_room, l->n_listed, sizeof(*l->listed)))
		return -1;
	l->listed = array;
	l->listed[l->n_listed++] = link;
	return 0;
}

static int list_link(struct pl_links *l, int kind, size_t i)
{
	const size_t link = index_of(l, kind, i);

	return l->link[link].s_per_byte > 0 ? list(l, (uint32_t)link) : 0;
}

int pl_links_route(struct pl_links *l, size_t src, size_t dst, struct pl_route *route)
{
	int rc;

	route->first = (uint32_t)l->n_listed;
	route->latency_s = l->net->latency_s[src * l->net->n + dst];
	pl_tiers_cross(&l->net->tiers, src, dst, &l->way);
	rc = list_link(l, CARD_OUT, src);
	for (size_t i = 0; rc == 0 && i < l->way.n_leave; i++)
		rc = list_link(l, UP, l->way.leave[i]);
	if (rc == 0)
		rc = list(l, LATENCY);
	for (size_t i = 0; rc == 0 && i < l->way.n_enter; i++)
		rc = list_link(l, DOWN, l->way.enter[i]);
	if (rc == 0)
		rc = list_link(l, CARD_IN, dst);
	route->end = (uint32_t)l->n_listed;
	return rc;
}

/* Who made it wait: a line before the link, or the link's own rate where nothing but that held it
 * up. */
void pl_link_pass(struct pl_shared_link *link, struct pl_passage *p)
{
	const double start_s = fmax(link->free_s, p->head_s);
	const double end_s = start_s + link->s_per_byte * p->bytes;

	if (start_s > p->head_s || (end_s > p->tail_s && p->bound != PL_BY_TCP))
		p->bound = link->bound;
	p->head_s = start_s;
	p->tail_s = fmax(p->tail_s, end_s);
	link->free_s = end_s;
}

void pl_links_pass(struct pl_links *l, struct pl_passage *p)
{
	if (l->listed[p->next] != LATENCY)
		pl_link_pass(&l->link[l->listed[p->next++]], p);
	if (p->next < p->route->end && l->listed[p->next] == LATENCY) {
		p->head_s += p->route->latency_s;
		p->tail_s += p->route->latency_s;
		p->next++;
	}
}

double pl_links_word_s(const struct pl_links *l, const struct pl_route *route, double now_s)
{
	for (uint32_t i = route->first; i < route->end; i++)
		if (l->listed[i] == LATENCY)
			now_s += route->latency_s;
		else
			now_s = fmax(now_s, l->link[l->listed[i]].free_s);
	return now_s;
}

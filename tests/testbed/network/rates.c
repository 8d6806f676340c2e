/* SPDX-License-Identifier: BSD-3-Clause */
/* rates.c - links of finite speed, passed cut-through */
#include "config.h"

#include "tests/testbed/network/rates.h"

#include "base/mem.h"
#include "tests/testbed/network/topology.h"

#include <stdlib.h>
#include <string.h>

#define WAY_LINKS_MAX (2 * TB_LEVELS_MAX + 2)

/* Adds the links from one host to another to hop[*used] and on. */
static void lay_way(struct tb_rates *rates, const struct pl_tiers *tiers, size_t pair, size_t *used)
{
	const size_t n = rates->n, src = pair / n, dst = pair % n;
	size_t leave[TB_GROUPS_MAX], enter[TB_GROUPS_MAX];
	struct pl_tiers_way crossed = {.leave = leave, .enter = enter};
	uint16_t *hop = rates->hop + *used;

	pl_tiers_cross(tiers, src, dst, &crossed);
	*hop++ = (uint16_t)src;
	for (size_t i = 0; i < crossed.n_leave; i++)
		*hop++ = (uint16_t)(2 * n + leave[i]);
	for (size_t i = 0; i < crossed.n_enter; i++)
		*hop++ = (uint16_t)(2 * n + rates->n_groups + enter[i]);
	*hop++ = (uint16_t)(n + dst);
	rates->way[pair] = (struct tb_way){
		.first = (uint32_t)*used,
		.n_near = (uint8_t)(1 + crossed.n_leave),
		.n_links = (uint8_t)(2 + crossed.n_leave + crossed.n_enter),
	};
	*used += rates->way[pair].n_links;
}

int tb_rates_init(struct tb_rates *rates, const struct pl_tiers *tiers, struct pl_err *err)
{
	const size_t n = tiers->n;
	size_t used = 0;

	memset(rates, 0, sizeof(*rates));
	rates->n = n;
	rates->n_groups = tiers->n_groups;
	rates->link = pl_array_create(2 * (n + tiers->n_groups), sizeof(*rates->link));
	rates->way = pl_array_create(n * n, sizeof(*rates->way));
	rates->hop = pl_array_create(n * n * WAY_LINKS_MAX, sizeof(*rates->hop));
	if (!rates->link || !rates->way || !rates->hop) {
		tb_rates_fini(rates);
		return pl_err_nomem(err);
	}
	for (size_t pair = 0; pair < n * n; pair++)
		lay_way(rates, tiers, pair, &used);
	tb_rates_change(rates, tiers->card, tiers->uplink);
	return 0;
}

void tb_rates_fini(struct tb_rates *rates)
{
	free(rates->link);
	free(rates->way);
	free(rates->hop);
	memset(rates, 0, sizeof(*rates));
}

static void set(struct tb_link *link, double bps)
{
	if (bps > 0)
		link->byte_ns = 8e9 / bps;
}

void tb_rates_change(struct tb_rates *rates, const struct pl_link_rate *card,
		     const struct pl_link_rate *uplink)
{
	const size_t n = rates->n, n_groups = rates->n_groups;
	struct tb_link *const groups = rates->link + 2 * n;

	for (size_t h = 0; h < n; h++) {
		set(&rates->link[h], card[h].out_bps);
		set(&rates->link[n + h], card[h].in_bps);
	}
	for (size_t g = 0; g < n_groups; g++) {
		set(&groups[g], uplink[g].out_bps);
		set(&groups[n_groups + g], uplink[g].in_bps);
	}
}

const struct tb_way *tb_rates_way(const struct tb_rates *rates, size_t src, size_t dst)
{
	return &rates->way[src * rates->n + dst];
}

static struct tb_link *link_at(const struct tb_rates *rates, const struct tb_way *way, size_t hop)
{
	return &rates->link[rates->hop[way->first + hop]];
}

bool tb_rates_is_open(const struct tb_rates *rates, const struct tb_way *way, size_t hop)
{
	return !(link_at(rates, way, hop)->byte_ns > 0);
}

/* The first bit waits until the link is free; the last comes no sooner than the link can send it,
 * and no sooner than it arrived. */
void tb_rates_pass(struct tb_rates *rates, size_t hop, struct tb_passage *p)
{
	struct tb_link *link = link_at(rates, p->way, hop);
	int64_t end;

	if (tb_rates_is_open(rates, p->way, hop))
		return;
	if (link->free_ns > p->head_ns)
		p->head_ns = link->free_ns;
	end = p->head_ns + (int64_t)(link->byte_ns * p->bytes);
	if (end > p->tail_ns)
		p->tail_ns = end;
	link->free_ns = end;
}

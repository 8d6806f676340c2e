/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - cards and uplinks: each passes on what comes, in the order it comes */
#include "config.h"

#include "predict/links.h"

#include "src/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pl_links_init(struct pl_links *l, const struct pl_network *net,
		  double share)
{
	memset(l, 0, sizeof(*l));
	l->net = net;
	if (net->nic_bytes_per_s > 0)
		l->nic_s = 1 / (share * net->nic_bytes_per_s);
	if (net->uplink_bytes_per_s > 0 && net->rack)
		l->uplink_s = 1 / (share * net->uplink_bytes_per_s);
	l->free_s = pl_array_create(2 * net->n + 2 * net->n_racks,
				    sizeof(*l->free_s));
	return l->free_s ? 0 : -1;
}

void pl_links_fini(struct pl_links *l)
{
	free(l->free_s);
	memset(l, 0, sizeof(*l));
}

/* Do packets between these hosts take uplinks that have a rate? */
static bool cross_uplinks(const struct pl_links *l, size_t src, size_t dst)
{
	return l->uplink_s > 0 && l->net->rack[src] != l->net->rack[dst];
}

/* Who made it wait: a line before the link, or the link's own rate where nothing
 * but that held it up. */
void pl_link_pass(double *free_s, double s_per_byte, enum pl_bound bound,
		  struct pl_passage *p)
{
	const double start_s = fmax(*free_s, p->head_s);
	const double end_s = start_s + s_per_byte * p->bytes;

	if (start_s > p->head_s || (end_s > p->tail_s && p->bound != PL_BY_TCP))
		p->bound = bound;
	p->head_s = start_s;
	p->tail_s = fmax(p->tail_s, end_s);
	*free_s = end_s;
}

void pl_links_pass(struct pl_links *l, enum pl_hop hop, struct pl_passage *p)
{
	const size_t racks = 2 * l->net->n;
	const bool crosses = cross_uplinks(l, p->src, p->dst);

	if (hop == PL_CARD_OUT && l->nic_s > 0)
		pl_link_pass(&l->free_s[p->src], l->nic_s, PL_BY_NIC, p);
	else if (hop == PL_CARD_IN && l->nic_s > 0)
		pl_link_pass(&l->free_s[l->net->n + p->dst], l->nic_s,
			     PL_BY_NIC, p);
	else if (hop == PL_UPLINK && crosses)
		pl_link_pass(&l->free_s[racks + l->net->rack[p->src]],
			     l->uplink_s, PL_BY_UPLINK, p);
	else if (hop == PL_DOWNLINK && crosses)
		pl_link_pass(&l->free_s[racks + l->net->n_racks +
					l->net->rack[p->dst]],
			     l->uplink_s, PL_BY_UPLINK, p);
}

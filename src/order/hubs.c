/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.c - hosts beside the ranks that add up for them */
#include "config.h"

#include "src/order/hubs.h"

#include "base/mem.h"
#include "order/calls/network.h"
#include "order/costs.h"
#include "order/window.h"
#include "src/order/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pl_reorder_hubs_fini(struct pl_reorder_hubs *h)
{
	pl_hosts_fini(&h->hosts);
	pl_order_input_fini(&h->all);
}

/* The host of that name becomes the last hub. */
static int take_host(struct pl_reorder_hubs *h, struct pl_hosts *hosts,
		     const char *name, struct pl_err *err)
{
	const ptrdiff_t at = pl_hosts_find(hosts, name);
	struct pl_hosts rest = {0};
	int rc = 0;

	if (at < 0)
		return pl_err_set(err, PL_EUSAGE,
				  pl_hosts_find(&h->hosts, name) < 0
					  ? "--aggregators: \"%s\" is none of "
					    "the hosts"
					  : "--aggregators: \"%s\" comes again",
				  name);
	hosts->v[at].slots = 1;
	for (size_t i = 0; rc == 0 && i < hosts->n; i++)
		rc = pl_hosts_add((ptrdiff_t)i == at ? &h->hosts : &rest,
				  &hosts->v[i]);
	if (rc) {
		pl_hosts_fini(&rest);
		return pl_err_nomem(err);
	}
	pl_hosts_fini(hosts);
	*hosts = rest;
	return 0;
}

int pl_reorder_hubs_take(struct pl_reorder_hubs *h, struct pl_hosts *hosts,
			 const char *list, struct pl_err *err)
{
	for (const char *s = list;; s++) {
		const size_t len = strcspn(s, ",");
		char *name = pl_string_copy(s, len);
		int rc = name ? take_host(h, hosts, name, err)
			      : pl_err_nomem(err);

		free(name);
		if (rc)
			return -1;
		s += len;
		if (!*s)
			break;
	}
	if (hosts->n >= 2)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "--aggregators=%s leaves %zu host%s for ranks: two "
			  "are needed",
			  list, hosts->n, hosts->n == 1 ? "" : "s");
}

int pl_reorder_hubs_measure(struct pl_reorder_hubs *h,
			    const struct pl_order_input *in,
			    const struct pl_matrix *m,
			    const struct pl_reorder_options *o,
			    struct pl_reorder_remarks *remarks,
			    struct pl_err *err)
{
	struct pl_order_input *all = &h->all;

	if (pl_hosts_copy(&all->hosts, &in->hosts))
		return pl_err_nomem(err);
	for (size_t k = 0; k < h->hosts.n; k++)
		if (pl_hosts_add(&all->hosts, &h->hosts.v[k]))
			return pl_err_nomem(err);
	if (pl_order_take_costs(all, m, &o->request, err) ||
	    (all->pairs_missing > in->pairs_missing &&
	     pl_reorder_missing(all, o->missing, m, remarks, err)) ||
	    pl_order_network_keep(all, m, err) ||
	    pl_order_take_windows(all, m->layer[0].quantity, &o->request, err))
		return -1;
	if (all->dropped.n == 0)
		return 0;
	return pl_err_set(err, PL_EPARTIAL,
			  "\"%s\" was not measured: no schedule can have it as "
			  "an aggregator, or beside one",
			  all->dropped.v[0].name);
}

void pl_reorder_hub_racks_fini(struct pl_reorder_hub_racks *r)
{
	free(r->rack);
	free(r->rate);
	memset(r, 0, sizeof(*r));
}

/* The innermost group of the host; PL_NO_GROUP: none is known. */
static size_t group_of(const struct pl_host *host, const struct pl_places *told,
		       const struct pl_network *net, size_t machine)
{
	ptrdiff_t at;

	if (!told)
		return net->tiers.rack[machine];
	at = pl_places_find_host(told, host);
	return at < 0 || told->host[at].node == 0 ? PL_NO_GROUP
						  : told->host[at].node;
}

static double uplink_of(const struct pl_network *net, size_t group)
{
	const struct pl_link_rate *uplink = &net->tiers.uplink[group];

	return fmin(uplink->out_bps, uplink->in_bps);
}

int pl_reorder_hub_racks_find(struct pl_reorder_hub_racks *r, size_t n_ranks,
			      size_t n_hubs, const struct pl_host *const *host,
			      const struct pl_places *told,
			      const struct pl_network *net,
			      const size_t *machine)
{
	const size_t n = n_ranks + n_hubs;
	size_t *group = pl_array_create(n, sizeof(*group)), n_racks = 0;
	bool rated = !told;

	r->rack = pl_array_create(n, sizeof(*r->rack));
	r->rate = pl_array_create(n, sizeof(*r->rate));
	if (!group || !r->rack || !r->rate) {
		free(group);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		size_t g = 0;

		group[n_racks] = group_of(host[i], told, net, machine[i]);
		if (group[n_racks] == PL_NO_GROUP)
			goto out;
		while (group[g] != group[n_racks])
			g++;
		r->rack[i] = (uint32_t)g;
		n_racks += g == n_racks;
	}
	for (size_t g = 0; rated && g < n_racks; g++)
		rated = uplink_of(net, group[g]) > 0;
	for (size_t g = 0; g < n_racks; g++)
		r->rate[g] = rated ? uplink_of(net, group[g]) : 1;
	r->racks = (struct pl_hub_racks){.n_ranks = n_ranks,
					 .n_hubs = n_hubs,
					 .n_racks = n_racks,
					 .rack = r->rack,
					 .rate = r->rate};
out:
	free(group);
	return 0;
}

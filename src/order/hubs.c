/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.c - hosts beside the ranks that add up for them */
#include "config.h"

#include "src/order/hubs.h"

#include "base/mem.h"
#include "engine/hub-network.h"
#include "order/calls/network.h"
#include "order/costs.h"
#include "order/window.h"
#include "src/order/missing.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void pl_reorder_hubs_fini(struct pl_reorder_hubs *h)
{
	pl_hosts_fini(&h->hosts);
	pl_order_input_fini(&h->all);
}

/* The host of that name becomes the last hub. */
static int take_host(struct pl_reorder_hubs *h, struct pl_hosts *hosts, const char *name,
		     struct pl_err *err)
{
	const ptrdiff_t at = pl_hosts_find(hosts, name);
	struct pl_hosts rest = {0};
	int rc = 0;

	if (at < 0)
		return pl_err_set(err, PL_EUSAGE,
				  pl_hosts_find(&h->hosts, name) < 0
					  ? "--aggregators: \"%s\" is none of the hosts"
					  : "--aggregators: \"%s\" comes again",
				  name);
	hosts->v[at].slots = 1;
	for (size_t i = 0; rc == 0 && i < hosts->n; i++)
		rc = pl_hosts_add((ptrdiff_t)i == at ? &h->hosts : &rest, &hosts->v[i]);
	if (rc) {
		pl_hosts_fini(&rest);
		return pl_err_nomem(err);
	}
	pl_hosts_fini(hosts);
	*hosts = rest;
	return 0;
}

int pl_reorder_hubs_take(struct pl_reorder_hubs *h, struct pl_hosts *hosts, const char *list,
			 struct pl_err *err)
{
	for (const char *s = list;; s++) {
		const size_t len = strcspn(s, ",");
		char *name = pl_string_copy(s, len);
		int rc = name ? take_host(h, hosts, name, err) : pl_err_nomem(err);

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
			  "--aggregators=%s leaves %zu host%s for ranks: two are needed", list,
			  hosts->n, hosts->n == 1 ? "" : "s");
}

int pl_reorder_hubs_measure(struct pl_reorder_hubs *h, const struct pl_order_input *in,
			    const struct pl_matrix *m, const struct pl_reorder_options *o,
			    struct pl_reorder_remarks *remarks, struct pl_err *err)
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
	return pl_err_set(
		err, PL_EPARTIAL,
		"\"%s\" was not measured: no schedule can have it as an aggregator, or beside one",
		all->dropped.v[0].name);
}

/* SIZE_MAX: none is known. */
static size_t place_of(const struct pl_places *told, const struct pl_host *host)
{
	const ptrdiff_t at = pl_places_find_host(told, host);

	return at < 0 || told->host[at].node == 0 ? SIZE_MAX : told->host[at].node;
}

/* Are those of a group the ones of a rack of the network, whose uplinks are measured? */
static bool are_racks(const size_t *group, size_t n, const struct pl_network *net,
		      const size_t *machine)
{
	const size_t *rack = net->tiers.rack;

	for (size_t i = 0; rack && machine && i < n; i++)
		for (size_t k = 0; k <= i; k++)
			if (group[i] == SIZE_MAX || rack[machine[i]] == PL_NO_GROUP ||
			    (group[i] == group[k]) != (rack[machine[i]] == rack[machine[k]]))
				return false;
	return rack && machine;
}

int pl_reorder_hub_racks(struct pl_hub_grouping *g, size_t n_ranks, size_t n_hubs,
			 const struct pl_host *const *host, const struct pl_places *told,
			 const struct pl_network *net, const size_t *machine)
{
	size_t *group;
	int rc;

	if (!told)
		return pl_hub_network_racks(g, n_ranks, n_hubs, net, machine);
	group = pl_array_create(n_ranks + n_hubs, sizeof(*group));
	if (!group)
		return -1;
	for (size_t i = 0; i < n_ranks + n_hubs; i++)
		group[i] = place_of(told, host[i]);
	rc = are_racks(group, n_ranks + n_hubs, net, machine)
		     ? pl_hub_network_racks(g, n_ranks, n_hubs, net, machine)
		     : pl_hub_grouping_init(g, n_ranks, n_hubs, group, NULL);
	free(group);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-tree.c - the groups of ranks through which schedules aggregate */
#include "config.h"

#include "src/order/schedule-tree.h"

#include "base/matrix/tiers.h"
#include "base/mem.h"
#include "order/calls/network.h"

#include <stdlib.h>
#include <string.h>

/* Groups of hosts within groups, whoever says so; hosts are those of the order, by their
 * position. */
struct nest {
	size_t n_hosts, n; /* n: groups */
	size_t *of;        /* [n_hosts]: the innermost; PL_NO_GROUP: none */
	size_t *within;    /* [n]: the one around it, or PL_NO_GROUP */
	double *bps;       /* [n]: of uplinks; 0: not known */
};

static void nest_fini(struct nest *nest)
{
	free(nest->of);
	free(nest->within);
	free(nest->bps);
}

static int nest_init(struct nest *nest, size_t n_hosts, size_t n)
{
	*nest = (struct nest){.n_hosts = n_hosts, .n = n};
	nest->of = pl_array_create(n_hosts, sizeof(*nest->of));
	nest->within = pl_array_create(n, sizeof(*nest->within));
	nest->bps = pl_array_create(n, sizeof(*nest->bps));
	return nest->of && nest->within && nest->bps ? 0 : -1;
}

static size_t machine_at(const struct pl_reorder_answer *a, size_t pos)
{
	return a->in->machine[a->r->host_at[pos]];
}

static double least(struct pl_link_rate rate)
{
	return rate.out_bps < rate.in_bps ? rate.out_bps : rate.in_bps;
}

static int nest_measured(struct nest *nest, const struct pl_reorder_answer *a,
			 const struct pl_tiers *t)
{
	if (nest_init(nest, a->in->hosts.n, t->n_groups))
		return -1;
	for (size_t k = 0; k < nest->n_hosts; k++)
		nest->of[k] = t->rack[machine_at(a, k)];
	for (size_t g = 0; g < nest->n; g++) {
		nest->within[g] = t->within[g];
		nest->bps[g] = least(t->uplink[g]);
	}
	return 0;
}

/* Is the host in the group, or in one within it? */
static bool is_in(size_t group, const size_t *within, size_t of)
{
	while (of != PL_NO_GROUP && of != group)
		of = within[of];
	return of == group;
}

/* The uplink of a measured group that has the same hosts; 0: there is none. */
static double uplink_of_same(const struct nest *nest, size_t group, const struct nest *measured)
{
	for (size_t g = 0; g < measured->n; g++) {
		bool same = true;

		for (size_t k = 0; same && k < nest->n_hosts; k++)
			same = is_in(group, nest->within, nest->of[k]) ==
			       is_in(g, measured->within, measured->of[k]);
		if (same)
			return measured->bps[g];
	}
	return 0;
}

static void take_uplinks(struct nest *nest, const struct nest *measured)
{
	for (size_t g = 0; g < nest->n; g++)
		nest->bps[g] = uplink_of_same(nest, g, measured);
}

/* Narrowest known places are the innermost groups. */
static int nest_told(struct nest *nest, const struct pl_reorder_answer *a,
		     const struct pl_places *p, struct pl_err *err)
{
	if (nest_init(nest, a->in->hosts.n, p->n_nodes))
		return pl_err_nomem(err);
	for (size_t g = 0; g < nest->n; g++)
		nest->within[g] = p->node[g].parent ? p->node[g].parent : PL_NO_GROUP;
	for (size_t k = 0; k < nest->n_hosts; k++) {
		const struct pl_host *host = &a->in->hosts.v[a->r->host_at[k]];
		const ptrdiff_t at = pl_places_find_host(p, host);
		const size_t node = at < 0 ? 0 : p->host[at].node;

		nest->of[k] = node ? node : PL_NO_GROUP;
		if (at < 0 && a->o->groups)
			return pl_err_set(err, PL_EINPUT, "%s: no group has host %s", a->o->groups,
					  host->name);
	}
	return 0;
}

const char *pl_reorder_tree_file(const struct pl_reorder_answer *a)
{
	if (a->o->groups)
		return a->o->groups;
	return a->in->matrix ? NULL : a->o->topology;
}

static int make_nest(struct nest *nest, const struct pl_reorder_answer *a,
		     const struct pl_places *told, const struct pl_tiers *t, struct pl_err *err)
{
	struct nest measured = {0};
	int rc;

	if (!told && t->n_groups > 0)
		return nest_measured(nest, a, t) ? pl_err_nomem(err) : 0;
	if (!told)
		return pl_err_set(err, PL_EPARTIAL,
				  "no racks are known: --groups=FILE can tell them");
	rc = nest_told(nest, a, told, err);
	if (rc == 0 && t->n_groups > 0) {
		rc = nest_measured(&measured, a, t) ? pl_err_nomem(err) : 0;
		if (rc == 0)
			take_uplinks(nest, &measured);
		nest_fini(&measured);
	}
	return rc;
}

/* Nodes while they are not yet numbered from below: first the ranks, then the hosts, then the
 * groups of the nest, last the root. */
struct draft {
	size_t n_ranks, n_hosts, n;
	size_t *parent;     /* [n] */
	size_t *n_children; /* [n] */
	size_t *depth;      /* [n], of the root 0 */
	double *bps;        /* [n] */
};

static void draft_fini(struct draft *d)
{
	free(d->parent);
	free(d->n_children);
	free(d->depth);
	free(d->bps);
}

static int draft_init(struct draft *d, size_t n_ranks, const struct nest *nest)
{
	*d = (struct draft){.n_ranks = n_ranks,
			    .n_hosts = nest->n_hosts,
			    .n = n_ranks + nest->n_hosts + nest->n + 1};
	d->parent = pl_array_create(d->n, sizeof(*d->parent));
	d->n_children = pl_array_create(d->n, sizeof(*d->n_children));
	d->depth = pl_array_create(d->n, sizeof(*d->depth));
	d->bps = pl_array_create(d->n, sizeof(*d->bps));
	return d->parent && d->n_children && d->depth && d->bps ? 0 : -1;
}

/* The draft's number of a group; that of the root for none. */
static size_t number_of(const struct draft *d, size_t group)
{
	return group == PL_NO_GROUP ? d->n - 1 : d->n_ranks + d->n_hosts + group;
}

static void draw_hosts(struct draft *d, const struct pl_reorder_answer *a, const struct pl_tiers *t,
		       const struct nest *nest, bool hosts_are_groups)
{
	size_t rank = 0;

	for (size_t k = 0; k < d->n_hosts; k++) {
		const size_t node = d->n_ranks + k;
		const int slots = a->in->hosts.v[a->r->host_at[k]].slots;

		d->parent[node] = number_of(d, nest->of[k]);
		if (t->n > 0)
			d->bps[node] = least(t->card[machine_at(a, k)]);
		for (int i = 0; i < slots; i++, rank++) {
			d->parent[rank] = hosts_are_groups ? node : d->parent[node];
			d->bps[rank] = d->bps[node] / slots;
		}
	}
}

static void draw_groups(struct draft *d, const struct nest *nest, bool nested)
{
	for (size_t g = 0; g < nest->n; g++) {
		const size_t node = number_of(d, g);

		d->parent[node] = number_of(d, nested ? nest->within[g] : PL_NO_GROUP);
		d->bps[node] = nest->bps[g];
	}
}

/* Leaves out what has no children or one: the only child goes to the group above, with the slower
 * of the two links. */
static void prune(struct draft *d)
{
	const size_t root = d->n - 1;

	for (size_t v = 0; v < d->n_ranks; v++)
		for (size_t up = v; up != root; up = d->parent[up])
			if (d->n_children[d->parent[up]]++ > 0)
				break;
	for (size_t v = 0; v < root; v++)
		while (d->parent[v] != root && d->n_children[d->parent[v]] == 1) {
			const size_t up = d->parent[v];

			if (d->bps[up] > 0 && (d->bps[v] == 0 || d->bps[up] < d->bps[v]))
				d->bps[v] = d->bps[up];
			d->parent[v] = d->parent[up];
		}
}

/* The groups that stay, from below; returns how many, with the root. */
static size_t number_groups(const struct draft *d, uint32_t *number)
{
	size_t n = 0, deepest = 0;

	for (size_t v = d->n_ranks; v < d->n; v++) {
		for (size_t up = v; up != d->n - 1; up = d->parent[up])
			d->depth[v]++;
		if (d->depth[v] > deepest)
			deepest = d->depth[v];
	}
	for (size_t depth = deepest + 1; depth-- > 0;)
		for (size_t v = d->n_ranks; v < d->n; v++)
			if (d->depth[v] == depth && (v == d->n - 1 || d->n_children[v] > 1))
				number[v] = (uint32_t)(d->n_ranks + n++);
	return n;
}

static int make_tree(struct pl_reorder_tree *tree, const struct draft *d)
{
	uint32_t *number = pl_array_create(d->n, sizeof(*number));
	size_t n;

	if (!number)
		return -1;
	for (size_t r = 0; r < d->n_ranks; r++)
		number[r] = (uint32_t)r;
	n = d->n_ranks + number_groups(d, number);
	tree->parent = pl_array_create(n, sizeof(*tree->parent));
	tree->bps = pl_array_create(n, sizeof(*tree->bps));
	for (size_t v = 0; tree->parent && tree->bps && v + 1 < d->n; v++)
		if (v < d->n_ranks || number[v] > 0) {
			tree->parent[number[v]] = number[d->parent[v]];
			tree->bps[number[v]] = d->bps[v];
		}
	free(number);
	tree->levels =
		(struct pl_rank_tree){.n_ranks = d->n_ranks, .n_nodes = n, .parent = tree->parent};
	return tree->parent && tree->bps ? 0 : -1;
}

/* Innermost groups of the job's hosts; a host without one counts as one. */
static size_t count_racks(const struct nest *nest)
{
	size_t n = 0;

	for (size_t k = 0; k < nest->n_hosts; k++) {
		size_t before = 0;

		while (before < k &&
		       (nest->of[before] != nest->of[k] || nest->of[k] == PL_NO_GROUP))
			before++;
		n += before == k;
	}
	return n;
}

static int fill_tree(struct pl_reorder_tree *tree, const struct pl_reorder_answer *a,
		     const struct pl_tiers *t, const struct nest *nest, enum pl_reorder_depth depth)
{
	struct draft d;
	int rc = draft_init(&d, pl_hosts_ranks(&a->in->hosts), nest);

	if (rc == 0) {
		draw_hosts(&d, a, t, nest, depth == PL_DEPTH_ALL);
		draw_groups(&d, nest, depth == PL_DEPTH_ALL);
		prune(&d);
		rc = make_tree(tree, &d);
	}
	draft_fini(&d);
	return rc;
}

int pl_reorder_tree_init(struct pl_reorder_tree *tree, const struct pl_reorder_answer *a,
			 const struct pl_places *told, enum pl_reorder_depth depth,
			 struct pl_err *err)
{
	struct pl_network net = {0};
	struct nest nest = {0};
	int rc;

	*tree = (struct pl_reorder_tree){0};
	if (a->in->matrix && pl_order_network_init(&net, a->in, &a->o->request, err))
		return -1;
	if (depth != PL_DEPTH_SHARDS)
		rc = make_nest(&nest, a, told, &net.tiers, err);
	else if ((rc = nest_init(&nest, a->in->hosts.n, 0)))
		pl_err_nomem(err);
	for (size_t k = 0; depth == PL_DEPTH_SHARDS && k < nest.n_hosts; k++)
		nest.of[k] = PL_NO_GROUP;
	if (rc == 0 && depth != PL_DEPTH_SHARDS && count_racks(&nest) < 2)
		rc = pl_err_set(
			err, PL_EPARTIAL,
			"the hosts are in one rack, as far as is known: two levels need several");
	else if (rc == 0 && fill_tree(tree, a, &net.tiers, &nest, depth))
		rc = pl_err_nomem(err);
	nest_fini(&nest);
	pl_network_fini(&net);
	if (rc)
		pl_reorder_tree_fini(tree);
	return rc;
}

void pl_reorder_tree_fini(struct pl_reorder_tree *tree)
{
	free(tree->parent);
	free(tree->bps);
	memset(tree, 0, sizeof(*tree));
}

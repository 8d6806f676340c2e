/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-candidates.c - the schedules that a job could run */
#include "config.h"

#include "src/order/schedule-candidates.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "engine/cut.h"
#include "engine/hub-network.h"
#include "engine/shares.h"
#include "engine/way.h"
#include "order/calls/network.h"
#include "src/order/hubs.h"
#include "src/order/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The engine's own, by name. */
static const struct {
	const char *name;
	enum pl_reorder_depth depth;
} owns[] = {
	{"two-level", PL_DEPTH_RACKS},
	{"levels", PL_DEPTH_ALL},
	{"sharded", PL_DEPTH_SHARDS},
};
#define N_OWNS (sizeof(owns) / sizeof(*owns))
#define BEST "best"
/* with --aggregators */
#define HUBS "hubs"
#define HUB_RACKS "hub-racks"

bool pl_reorder_is_own(const char *name)
{
	for (size_t i = 0; i < N_OWNS; i++)
		if (strcmp(owns[i].name, name) == 0)
			return true;
	return strcmp(name, BEST) == 0 || pl_reorder_needs_hubs(name);
}

bool pl_reorder_needs_hubs(const char *name)
{
	return strcmp(name, HUBS) == 0 || strcmp(name, HUB_RACKS) == 0;
}

const char *pl_reorder_candidate_masters(const struct pl_reorder_candidate *of)
{
	static const char *const by[] = {
		[PL_MASTERS_CARDINALITY] = "masters by cardinality",
		[PL_MASTERS_BANDWIDTH] = "masters by bandwidth",
		[PL_MASTERS_UPLINKS] = "masters by uplinks",
	};

	return of->of || of->hubs ? "" : by[of->masters];
}

void pl_reorder_candidates_fini(struct pl_reorder_candidates *c)
{
	for (size_t i = 0; i <= PL_DEPTH_ALL; i++)
		pl_reorder_tree_fini(&c->tree[i]);
	pl_network_fini(&c->net);
	pl_network_fini(&c->hub_net);
	free(c->machine);
	free(c->hub_machine);
	pl_hub_grouping_fini(&c->hub_racks);
	free(c->v);
	memset(c, 0, sizeof(*c));
}

static int add(struct pl_reorder_candidates *c, const struct pl_reorder_candidate *one,
	       struct pl_err *err)
{
	void *array = c->v;

	if (pl_array_grow(&array, &c->room, c->n, sizeof(*c->v)))
		return pl_err_nomem(err);
	c->v = array;
	c->v[c->n++] = *one;
	return 0;
}

/* By all rules, by uplinks first, where any rate is known; else by cardinality. */
static int add_own(struct pl_reorder_candidates *c, size_t own, struct pl_err *err)
{
	static const enum pl_reorder_masters rules[] = {PL_MASTERS_UPLINKS, PL_MASTERS_CARDINALITY,
							PL_MASTERS_BANDWIDTH};
	const bool rates = pl_tiers_have_rates(&c->net.tiers);
	struct pl_reorder_candidate one = {.name = owns[own].name, .depth = owns[own].depth};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		one.masters = rules[i];
		if ((rates || one.masters == PL_MASTERS_CARDINALITY) && add(c, &one, err))
			return -1;
	}
	return 0;
}

/* [n_ranks + hubs] hosts; NULL: out of memory. */
static const struct pl_host **list_hosts(const struct pl_reorder_candidates *c)
{
	const struct pl_hosts *hosts = &c->a->in->hosts;
	const struct pl_hosts *hubs = &c->a->from->hubs.hosts;
	const struct pl_host **host = pl_array_create(c->n_ranks + hubs->n, sizeof(*host));
	size_t n = 0;

	for (size_t k = 0; host && k < hosts->n; k++) {
		const struct pl_host *at = &hosts->v[c->a->r->host_at[k]];

		for (int i = 0; i < at->slots; i++)
			host[n++] = at;
	}
	for (size_t k = 0; host && k < hubs->n; k++)
		host[n++] = &hubs->v[k];
	return host;
}

static int find_hub_racks(struct pl_reorder_candidates *c, const struct pl_places *told,
			  struct pl_err *err)
{
	const struct pl_host **host = list_hosts(c);
	const int rc =
		host ? pl_reorder_hub_racks(&c->hub_racks, c->n_ranks, c->a->from->hubs.hosts.n,
					    host, told, &c->hub_net, c->hub_machine)
		     : -1;

	free(host);
	return rc ? pl_err_nomem(err) : 0;
}

/* Those that were asked for; in racks, where there are several. */
static int add_hubs(struct pl_reorder_candidates *c, const struct pl_places *told,
		    struct pl_err *err)
{
	const char *name = c->a->o->own_schedule;
	const bool all = !name || strcmp(name, BEST) == 0;
	const struct pl_reorder_candidate hubs = {.name = HUBS, .hubs = true};
	const struct pl_reorder_candidate racks = {.name = HUB_RACKS, .hubs = true, .racks = true};

	if ((all || strcmp(name, HUBS) == 0) && add(c, &hubs, err))
		return -1;
	if (!all && strcmp(name, HUB_RACKS) != 0)
		return 0;
	if (find_hub_racks(c, told, err))
		return -1;
	if (c->hub_racks.racks.n_racks > 1)
		return add(c, &racks, err);
	return all ? 0
		   : pl_err_set(err, PL_EPARTIAL,
				"the ranks and aggregators are not in several racks, as far as is "
				"known: --groups=FILE can tell them");
}

static int add_owns(struct pl_reorder_candidates *c, const struct pl_places *told,
		    struct pl_err *err)
{
	const char *name = c->a->o->own_schedule;
	const bool all = !name || strcmp(name, BEST) == 0;

	for (size_t i = 0; i < N_OWNS; i++) {
		struct pl_reorder_tree *tree = &c->tree[owns[i].depth];

		if (!all && strcmp(name, owns[i].name) != 0)
			continue;
		if (pl_reorder_tree_init(tree, c->a, told, owns[i].depth, err)) {
			if (!all || err->code != PL_EPARTIAL)
				return -1;
			*err = (struct pl_err){.code = PL_OK};
		} else if (add_own(c, i, err)) {
			return -1;
		}
	}
	return c->hub_machine ? add_hubs(c, told, err) : 0;
}

/* The same, with the file of groups if there is one. */
static int find_owns(struct pl_reorder_candidates *c, struct pl_err *err)
{
	const char *file = pl_reorder_tree_file(c->a);
	struct pl_places told = {.labels = file == c->a->o->topology ? c->a->o->topology_label
								     : NULL};
	int rc;

	if (file && pl_places_read(&told, file, err))
		return -1;
	rc = add_owns(c, file ? &told : NULL, err);
	pl_places_fini(&told);
	return rc;
}

/* The library's algorithms and those of the thesis, but not its two levels, whose groups are no
 * racks, and none that needs several ranks on a host. */
static int add_flat(struct pl_reorder_candidates *c, struct pl_err *err)
{
	const struct pl_order_algorithm *what = &c->a->o->request.what;
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++) {
		const struct pl_reorder_candidate one = {.name = a->name, .of = a};

		if (a->collective == PL_ALLREDUCE && !a->decide && !a->for_slots &&
		    (a->impl == what->a->impl || (a->impl == PL_THESIS && !a->takes_radix)) &&
		    add(c, &one, err))
			return -1;
	}
	return 0;
}

/* [n_ranks + n_more]: of the ranks in their order, and of the hosts of @in after those that were
 * ordered. NULL: out of memory. */
static size_t *find_machines(const struct pl_reorder_candidates *c, const struct pl_order_input *in,
			     size_t n_more)
{
	const struct pl_hosts *hosts = &c->a->in->hosts;
	size_t *machine = pl_array_create(c->n_ranks + n_more, sizeof(*machine));
	size_t rank = 0;

	for (size_t k = 0; machine && k < hosts->n; k++) {
		const size_t host = c->a->r->host_at[k];

		for (int i = 0; i < hosts->v[host].slots; i++)
			machine[rank++] = in->machine[host];
	}
	for (size_t k = 0; machine && k < n_more; k++)
		machine[rank++] = in->machine[hosts->n + k];
	return machine;
}

static int take_network(struct pl_reorder_candidates *c, struct pl_err *err)
{
	const struct pl_order_request *q = &c->a->o->request;
	const struct pl_reorder_hubs *hubs = &c->a->from->hubs;

	if (!c->a->in->matrix)
		return 0;
	c->machine = find_machines(c, c->a->in, 0);
	if (!c->machine)
		return pl_err_nomem(err);
	if (pl_order_network_init(&c->net, c->a->in, q, err))
		return -1;
	if (hubs->hosts.n == 0)
		return 0;
	c->hub_machine = find_machines(c, &hubs->all, hubs->hosts.n);
	if (!c->hub_machine)
		return pl_err_nomem(err);
	return pl_order_network_init(&c->hub_net, &hubs->all, q, err);
}

int pl_reorder_candidates_init(struct pl_reorder_candidates *c, const struct pl_reorder_answer *a,
			       struct pl_err *err)
{
	const struct pl_order_request *q = &a->o->request;
	const struct pl_reorder_candidate named = {
		.name = q->what.name, .of = q->what.a, .radix = q->what.radix};
	const bool all = !a->o->own_schedule || strcmp(a->o->own_schedule, BEST) == 0;

	*c = (struct pl_reorder_candidates){.a = a, .n_ranks = pl_hosts_ranks(&a->in->hosts)};
	if (take_network(c, err))
		goto fail;
	if (q->names.algorithm) {
		if (add(c, &named, err))
			goto fail;
	} else if (find_owns(c, err) || (all && add_flat(c, err))) {
		goto fail;
	}
	return 0;
fail:
	pl_reorder_candidates_fini(c);
	return -1;
}

/* [n_ranks * n_ranks]: the rate between any two ranks, of cards and uplinks and of the pair,
 * whichever is least; of ranks of one host that of its card. */
static double *pair_rates(const struct pl_reorder_candidates *c)
{
	const struct pl_tiers *t = &c->net.tiers;
	struct pl_tiers_way way = {.leave = pl_array_create(t->n_groups, sizeof(size_t)),
				   .enter = pl_array_create(t->n_groups, sizeof(size_t))};
	double *rate = NULL;

	if (way.leave && way.enter && c->n_ranks <= SIZE_MAX / c->n_ranks)
		rate = pl_array_create(c->n_ranks * c->n_ranks, sizeof(*rate));
	for (size_t i = 0; rate && i < c->n_ranks; i++)
		for (size_t k = 0; k < c->n_ranks; k++) {
			const size_t src = c->machine[i], dst = c->machine[k];
			double bps = pl_tiers_lone(t, src, dst, &way);

			if (c->net.bytes_per_s && src != dst)
				bps = fmin(bps > 0 ? bps : INFINITY,
					   8 * c->net.bytes_per_s[src * t->n + dst]);
			rate[i * c->n_ranks + k] = isfinite(bps) ? bps : 0;
		}
	free(way.leave);
	free(way.enter);
	return rate;
}

/* Are the rates known, and some so far from others that it counts? */
static bool differ(const double *rate, size_t n)
{
	bool differ = false;

	for (size_t r = 0; r < n; r++) {
		if (rate[r] <= 0)
			return false;
		differ |= fabs(rate[r] - rate[0]) > 0.05 * rate[0];
	}
	return differ;
}

static int make_bandwidth_shares(const struct pl_reorder_candidates *c,
				 const struct pl_rank_tree *t, double *share, struct pl_err *err)
{
	double *rate = pair_rates(c);

	if (!rate)
		return pl_err_nomem(err);
	pl_bandwidth_shares(t, rate, share);
	free(rate);
	return 0;
}

static size_t slices_max(uint64_t bytes)
{
	const uint64_t n = bytes / PL_SLICE_BYTES;

	return n == 0 ? 1 : n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}

/* The engine's own. */
static int make_own(const struct pl_reorder_candidates *c, const struct pl_reorder_candidate *of,
		    uint64_t bytes, struct pl_slices *slices, struct pl_err *err)
{
	const struct pl_reorder_tree *tree = &c->tree[of->depth];
	struct pl_rank_tree t = tree->levels;
	double *share = pl_array_create(t.n_nodes, sizeof(*share));
	int rc = share ? 0 : pl_err_nomem(err);

	t.slices_max = slices_max(bytes);
	if (rc == 0 && of->masters == PL_MASTERS_BANDWIDTH)
		rc = make_bandwidth_shares(c, &t, share, err);
	if (rc == 0 && of->masters == PL_MASTERS_UPLINKS && pl_uplink_shares(&t, tree->bps, share))
		rc = pl_err_nomem(err);
	if (of->masters != PL_MASTERS_CARDINALITY) {
		const double *rate = of->masters == PL_MASTERS_BANDWIDTH ? share : tree->bps;

		t.share = share;
		t.rate = rc == 0 && differ(rate, t.n_ranks) ? rate : NULL;
	}
	if (rc == 0)
		rc = pl_levels_slices(slices, &t, err);
	free(share);
	return rc;
}

/* What the engine needs to change the masters while the job runs. Ranks without
 * groups are groups of one there, because the shares of groups are met
 * exactly. */
static int record_tree(struct pl_schedule *s, const struct pl_rank_tree *t, struct pl_err *err)
{
	const size_t n = t->n_ranks, n_groups = t->n_nodes - n;

	s->n_nodes = n_groups > 1 ? t->n_nodes : 2 * n + 1;
	s->parent = pl_array_create(s->n_nodes, sizeof(*s->parent));
	if (!s->parent)
		return pl_err_nomem(err);
	for (size_t v = 0; v + 1 < s->n_nodes; v++)
		s->parent[v] = n_groups > 1 ? t->parent[v]
			       : v < n      ? (uint32_t)(n + v)
					    : (uint32_t)(2 * n);
	return 0;
}

static int make_flat(const struct pl_reorder_candidates *c, const struct pl_reorder_candidate *of,
		     uint64_t bytes, struct pl_slices *slices, struct pl_err *err)
{
	const struct pl_call call = {
		.n_pos = c->n_ranks, .bytes = bytes - bytes % PL_ORDER_ELEMENT, .radix = of->radix};
	struct pl_pattern p = {0};
	int rc = pl_algorithm_pattern(of->of, &call, &p, err);

	if (rc == 0 && p.gathered)
		rc = pl_err_set(
			err, PL_EUSAGE,
			"%s (%s) passes on what single ranks contribute, which no schedule can",
			of->name, pl_impl_name(of->of->impl));
	if (rc == 0)
		rc = pl_slices_of_pattern(slices, &p, err);
	pl_pattern_fini(&p);
	return rc;
}

static int set_window(const struct pl_reorder_candidates *c, const struct pl_reorder_candidate *of,
		      struct pl_schedule *s, struct pl_window_way *way, struct pl_err *err)
{
	const bool hubs = of->hubs;

	*way = (struct pl_window_way){0};
	if (c->machine)
		return pl_schedule_take_way(s, way, hubs ? c->hub_machine : c->machine,
					    c->n_ranks + (hubs ? c->a->from->hubs.hosts.n : 0),
					    hubs ? &c->hub_net : &c->net, err);
	s->chunk_bytes = pl_cut_chunk_bytes(0);
	s->window = pl_window_chunks(way, s->chunk_bytes);
	return 0;
}

int pl_reorder_candidate_make(const struct pl_reorder_candidates *c, size_t i, uint64_t bytes,
			      struct pl_schedule *s, struct pl_window_way *way, struct pl_err *err)
{
	const struct pl_reorder_candidate *of = &c->v[i];
	int rc = of->racks  ? pl_hub_rack_slices(&s->slices, &c->hub_racks.racks, slices_max(bytes),
						 err)
		 : of->hubs ? pl_hub_network_slices(&s->slices, c->n_ranks,
						    c->a->from->hubs.hosts.n, &c->hub_net,
						    c->hub_machine, slices_max(bytes), err)
		 : of->of   ? make_flat(c, of, bytes, &s->slices, err)
			    : make_own(c, of, bytes, &s->slices, err);

	s->size_max = UINT64_MAX;
	s->algorithm = pl_string_copy(of->name, strlen(of->name));
	if (rc == 0 && !s->algorithm)
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = set_window(c, of, s, way, err);
	if (rc == 0 && !of->of && !of->hubs && c->a->o->tune)
		rc = record_tree(s, &c->tree[of->depth].levels, err);
	if (rc)
		pl_schedule_fini(s);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* work.c - computes what plink-groups reports */
#include "config.h"

#include "src/groups/work.h"

#include "base/matrix/label.h"
#include "base/mem.h"
#include "base/stats.h"
#include "src/common/tool.h"
#include "topology/cluster.h"
#include "topology/places.h"
#include "topology/racks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 8 };
#define SLACK 0.05

static bool is_rate(const struct groups *g)
{
	return g->m->layer[0].quantity == PL_BANDWIDTH;
}

/* Rates become distances as in the thesis: the inverse. */
static int take_distances(struct groups *g, struct pl_err *err)
{
	const struct pl_layer *layer = &g->m->layer[0];
	const size_t n = g->m->hosts.n;

	g->distance = pl_array_create(n, n * sizeof(*g->distance));
	if (!g->distance)
		return pl_err_nomem(err);
	for (size_t p = 0; p < n * n; p++) {
		const bool own = p % (n + 1) == 0;
		const double x = layer->cell[p];

		g->distance[p] = own ? 0 : is_rate(g) ? 1 / x : x;
		if (isinf(g->distance[p]))
			g->distance[p] = NAN; /* a rate of 0 */
	}
	return 0;
}

/* Which hosts are not connected to the first one? */
static int name_apart(const struct groups *g, const struct pl_measured_pair *pair, size_t n_pairs,
		      struct pl_err *err)
{
	size_t apart;

	if (pl_pairs_apart(g->m->hosts.n, pair, n_pairs, &apart))
		return pl_err_nomem(err);
	if (apart == g->m->hosts.n)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s and %s: no measured pairs link them, not even over other hosts; "
			  "measure more pairs (plink-probe --resume)",
			  g->label[0], g->label[apart]);
}

static int embed(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	size_t n_pairs = 0;
	struct pl_measured_pair *pair = pl_pairs_of(g->distance, n, g->o->weight, &n_pairs);
	int rc = -1;

	if (!pair)
		return pl_err_nomem(err);
	if (!name_apart(g, pair, n_pairs, err) &&
	    !pl_embed(&g->e, n, pair, n_pairs, &g->o->embed, err))
		rc = 0;
	g->embedded = rc == 0;
	free(pair);
	return rc;
}

/* If few pairs were measured, chosen so that they show the tiers, a tree may show more than an
 * embedding. */
static int choose_estimate(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	size_t n_pairs = 0;
	struct pl_measured_pair *pair = pl_pairs_of(g->distance, n, PL_WEIGHT_RELATIVE, &n_pairs);
	int rc;

	if (!pair)
		return pl_err_nomem(err);
	rc = name_apart(g, pair, n_pairs, err);
	free(pair);
	if (rc || pl_estimate(&g->best, g->distance, n, err))
		return -1;
	g->chosen = true;
	pl_tool_say(GROUPS_TOOL, "pairs were sampled: estimates are by %s",
		    pl_estimate_name(&g->best));
	return 0;
}

static bool is_sampled(const struct groups *g)
{
	return pl_matrix_header(g->m, "sampled") != NULL;
}

/* A host without any measurement is alone for that reason only. */
static void count_missing(struct groups *g)
{
	const size_t n = g->m->hosts.n;

	g->n_missing = is_sampled(g) ? 0 : pl_matrix_missing(g->m);
	for (size_t i = 0; i < n; i++) {
		bool known = n == 1;

		for (size_t j = 0; j < n && !known; j++)
			known = i != j &&
				(!isnan(g->distance[i * n + j]) || !isnan(g->distance[j * n + i]));
		if (!known && g->n_unknown++ == 0)
			g->unknown = i;
	}
}

double groups_estimate(const struct groups *g, size_t i, size_t j)
{
	const double distance = g->chosen ? pl_estimate_distance(&g->best, i, j)
					  : pl_embedding_distance(&g->e, i, j);

	return is_rate(g) && i != j ? 1 / distance : distance;
}

static int find_balanced(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	const size_t k = g->o->k ? g->o->k : pl_cluster_default_k(n);
	const struct pl_cluster_points p = {g->e.at, n, g->e.dimensions};
	const struct pl_cluster_options o = {
		.k = k,
		.sizes = pl_cluster_sizes(n, k, g->o->elasticity),
		.tries = TRIES,
		.slack = SLACK,
		.seed = g->o->embed.seed,
	};
	struct pl_cluster_result r;

	if (k > n)
		return pl_err_set(err, PL_EUSAGE, "cannot make %zu groups of %zu hosts", k, n);
	if (pl_cluster(&p, &o, g->number, &r, err))
		return -1;
	g->n_groups = k;
	return 0;
}

/* Medians of the measurements within group @a and between it and the rest; v[n
 * * n] is scratch. */
static void describe(struct groups *g, size_t a, double *v)
{
	const size_t n = g->m->hosts.n;
	const double *cell = g->m->layer[0].cell;
	size_t n_inner = 0, n_outer = 0;

	/* inner ones from the front, outer ones from the back */
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const bool from = g->number[i] == a;
			const bool to = g->number[j] == a;

			if (i == j || isnan(cell[i * n + j]) || !(from || to))
				continue;
			if (from && to)
				v[n_inner++] = cell[i * n + j];
			else
				v[n * n - ++n_outer] = cell[i * n + j];
		}
	g->group[a].inner = pl_median(v, n_inner);
	g->group[a].outer = pl_median(v + n * n - n_outer, n_outer);
}

/* Groups of one size are no racks: nothing is around them. */
static int find_levels(struct groups *g, struct pl_err *err)
{
	if (g->o->format == GROUPS_TEXT)
		return 0;
	if (g->o->balanced)
		return pl_hierarchy_one(&g->levels, g->m->hosts.n, g->number, g->n_groups, err);
	return pl_hierarchy_find(&g->levels, g->distance, g->m->hosts.n, g->number, g->n_groups,
				 err);
}

static int find_groups(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	double *scratch = pl_array_create(n, n * sizeof(*scratch));
	int rc = -1;

	g->number = pl_array_create(n, sizeof(*g->number));
	g->too_few = !g->o->balanced && !pl_racks_can_tell(g->distance, n);
	if (!scratch || !g->number) {
		pl_err_nomem(err);
		goto out;
	}
	if (g->o->balanced ? find_balanced(g, err)
			   : pl_racks(g->distance, n, g->number, &g->n_groups, err))
		goto out;
	g->group = pl_array_create(g->n_groups, sizeof(*g->group));
	if (!g->group) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		g->group[g->number[i]].n++;
	for (size_t a = 0; a < g->n_groups; a++)
		describe(g, a, scratch);
	rc = find_levels(g, err);
out:
	free(scratch);
	return rc;
}

/* The true places of the matrix' hosts; hosts without one are counted. */
static void find_places(struct groups *g, const struct pl_places *truth, ptrdiff_t *place)
{
	for (size_t i = 0; i < g->m->hosts.n; i++) {
		place[i] = pl_places_find_host(truth, &g->m->hosts.v[i]);
		g->n_strangers += place[i] < 0;
	}
}

static int judge(struct groups *g, struct pl_err *err)
{
	const size_t n = g->m->hosts.n;
	double *estimate = pl_array_create(n, n * sizeof(*estimate));
	ptrdiff_t *place = pl_array_create(n, sizeof(*place));
	struct pl_places truth = {0};
	int rc = -1;

	if (!estimate || !place) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_places_read(&truth, g->o->truth, err))
		goto out;
	find_places(g, &truth, place);
	for (size_t p = 0; p < n * n; p++)
		estimate[p] = pl_embedding_distance(&g->e, p / n, p % n);
	rc = 0;
	if (pl_affinity(&g->measured, g->distance, n, &truth, place, err) ||
	    pl_affinity(&g->estimated, estimate, n, &truth, place, err))
		rc = -1;
	g->judged = rc == 0;
out:
	pl_places_fini(&truth);
	free(estimate);
	free(place);
	return rc;
}

int groups_find(struct groups *g, const struct groups_options *o, struct pl_err *err)
{
	const struct pl_matrix_options reading = {.unit = o->unit};

	g->o = o;
	g->m = pl_matrix_read(o->matrix, &reading, err);
	if (!g->m)
		return -1;
	g->label = pl_labels_create(&g->m->hosts, err);
	if (!g->label || take_distances(g, err))
		return -1;
	count_missing(g);
	if (o->format == GROUPS_MATRIX && !o->embed_asked && is_sampled(g) &&
	    choose_estimate(g, err))
		return -1;
	if ((o->balanced || o->truth || (o->format == GROUPS_MATRIX && !g->chosen)) &&
	    embed(g, err))
		return -1;
	if (o->format != GROUPS_MATRIX && find_groups(g, err))
		return -1;
	return o->truth ? judge(g, err) : 0;
}

void groups_fini(struct groups *g)
{
	if (g->label)
		pl_labels_destroy(g->label, g->m->hosts.n);
	pl_matrix_destroy(g->m);
	pl_embedding_fini(&g->e);
	pl_estimate_fini(&g->best);
	pl_hierarchy_fini(&g->levels);
	free(g->distance);
	free(g->number);
	free(g->group);
	memset(g, 0, sizeof(*g));
}

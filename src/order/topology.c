/* SPDX-License-Identifier: BSD-3-Clause */
/* topology.c - a --topology file, in place of a matrix or beside it */
#include "config.h"

#include "src/order/topology.h"

#include "base/mem.h"
#include "order/input.h"
#include "src/order/probe.h"
#include "topology/affinity.h"
#include "topology/disagree.h"
#include "topology/places.h"

#include <stdio.h>
#include <stdlib.h>

/* Hosts named before the rest is only counted. */
#define NAMED_MAX 20

/* at[hosts->n]: where each host is in the file; remarks name the hosts that it lacks. */
static void find_hosts(const struct pl_places *p, const struct pl_hosts *hosts,
		       const struct pl_reorder_options *o, struct pl_reorder_topology *topology,
		       struct pl_reorder_remarks *remarks, ptrdiff_t *at)
{
	char label[PL_HOST_LABEL], why[512];

	topology->n_unknown = 0;
	for (size_t h = 0; h < hosts->n; h++) {
		const struct pl_host *host = &hosts->v[h];

		at[h] = pl_places_find_host(p, host);
		if (at[h] >= 0 || topology->n_unknown++ >= NAMED_MAX)
			continue;
		pl_reorder_remark_warning(remarks, "%s: host %s %s", o->topology,
					  pl_order_label(label, host),
					  pl_places_why(p, host, at[h], why, sizeof(why)));
	}
	if (topology->n_unknown > NAMED_MAX)
		pl_reorder_remark_warning(remarks, "and %zu more hosts",
					  topology->n_unknown - NAMED_MAX);
	topology->form = p->form;
	topology->levels = pl_places_levels(p);
}

static int fill(struct pl_matrix *m, const struct pl_places *p, const ptrdiff_t *at,
		const struct pl_reorder_options *o)
{
	const size_t n = m->hosts.n;
	char text[512];

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && at[i] >= 0 && at[j] >= 0)
				m->layer[0].cell[i * n + j] =
					(double)pl_places_apart(p, (size_t)at[i], (size_t)at[j]);
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%s does not have %s", o->topology,
			 m->hosts.v[i].name);
		if (at[i] < 0 && n > 1 && pl_matrix_add_note(m, i, !i, text))
			return -1;
	}
	return 0;
}

/* A file may be true and still tell no order from another. */
static void say_equal(const struct pl_matrix *m, const struct pl_reorder_options *o,
		      struct pl_reorder_remarks *remarks)
{
	const size_t n = m->hosts.n;
	const double *cell = m->layer[0].cell;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (i != j && !(cell[i * n + j] == cell[1]))
				return;
	if (n > 2)
		pl_reorder_remark_warning(
			remarks,
			"%s: all %zu hosts are equally far from each other there: "
			"it makes no order better than another",
			o->topology, n);
}

static struct pl_matrix *make_matrix(const struct pl_places *p, const struct pl_hosts *hosts,
				     const ptrdiff_t *at, const struct pl_reorder_options *o,
				     struct pl_err *err)
{
	struct pl_matrix *m = pl_matrix_create(hosts, err);

	if (!m)
		return NULL;
	m->layer[0].quantity = PL_DISTANCE;
	m->layer[0].unit = PL_LEVELS;
	m->method = pl_string_copy("told", 4);
	if (m->method && fill(m, p, at, o) == 0)
		return m;
	pl_err_nomem(err);
	pl_matrix_destroy(m);
	return NULL;
}

struct pl_matrix *pl_reorder_topology_matrix(const struct pl_hosts *hosts,
					     const struct pl_reorder_options *o,
					     struct pl_reorder_topology *topology,
					     struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	struct pl_places p = {.labels = o->topology_label};
	struct pl_hosts once = {0};
	struct pl_matrix *m = NULL;
	ptrdiff_t *at = NULL;

	if (pl_places_read(&p, o->topology, err))
		return NULL;
	at = pl_array_create(hosts->n, sizeof(*at));
	if (!at) {
		pl_err_nomem(err);
		goto out;
	}
	if (pl_reorder_distinct(&once, hosts, o->hosts_form, err))
		goto out;
	find_hosts(&p, &once, o, topology, remarks, at);
	if (topology->n_unknown && o->missing == PL_MISSING_REFUSE)
		pl_err_set(err, PL_EPARTIAL,
			   "the places of %zu of %zu hosts are not in %s (see --missing)",
			   topology->n_unknown, once.n, o->topology);
	else
		m = make_matrix(&p, &once, at, o, err);
	if (m)
		say_equal(m, o, remarks);
out:
	free(at);
	pl_hosts_fini(&once);
	pl_places_fini(&p);
	return m;
}

/* Writes the path in characters that every terminal can show. */
static void show_path(char buf[PL_REORDER_TOPOLOGY_PATH], const struct pl_places *p, ptrdiff_t at)
{
	pl_places_path(p, (size_t)at, buf, PL_REORDER_TOPOLOGY_PATH);
	for (char *c = buf; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

static void keep_worst(struct pl_reorder_topology *topology, const struct pl_places_measured *tm,
		       const struct pl_hosts *hosts, const struct pl_disagreement *list)
{
	for (size_t k = 0; k < topology->n_misplaced && k < PL_REORDER_TOPOLOGY_WORST; k++) {
		const struct pl_disagreement *d = &list[k];
		struct pl_reorder_misplaced *to = &topology->worst[k];

		snprintf(to->host, sizeof(to->host), "%s", hosts->v[d->host].name);
		show_path(to->told, tm->places, tm->at[d->host]);
		show_path(to->near, tm->places, tm->at[d->other]);
		to->own_cost = d->own;
		to->near_cost = d->near;
	}
}

int pl_reorder_topology_compare(const struct pl_hosts *hosts, const double *c,
				const struct pl_reorder_options *o,
				struct pl_reorder_topology *topology,
				struct pl_reorder_remarks *remarks, struct pl_err *err)
{
	struct pl_places p = {.labels = o->topology_label};
	struct pl_disagreement *list = NULL;
	struct pl_affinity affinity = {0};
	struct pl_places_measured tm = {.places = &p, .c = c, .n = hosts->n};
	ptrdiff_t *at = NULL;
	int rc = -1;

	if (pl_places_read(&p, o->topology, err))
		return -1;
	at = pl_array_create(hosts->n, sizeof(*at));
	list = pl_array_create(hosts->n, sizeof(*list));
	if (!at || !list) {
		pl_err_nomem(err);
		goto out;
	}
	find_hosts(&p, hosts, o, topology, remarks, at);
	tm.at = at;
	if (pl_places_disagree(&tm, list, &topology->n_misplaced, &topology->n_judged, err))
		goto out;
	if (pl_affinity(&affinity, c, hosts->n, &p, at, err))
		goto out;
	topology->affinity = pl_affinity_score(&affinity);
	keep_worst(topology, &tm, hosts, list);
	rc = 0;
out:
	free(list);
	free(at);
	pl_places_fini(&p);
	return rc;
}

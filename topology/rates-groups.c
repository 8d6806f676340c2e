/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-groups.c - racks by times between hosts, wider groups by those between racks */
#include "config.h"

#include "topology/cluster.h"
#include "topology/racks.h"
#include "topology/rates-parts.h"
#include "topology/rates.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 8, GROUPS_LEAST = 3 };

static bool has_times(const struct pl_matrix *m)
{
	return m->layer[0].quantity == PL_RTT || m->layer[0].quantity == PL_ONE_WAY;
}

bool pl_rates_too_few(const struct pl_matrix *m)
{
	return !m->few && has_times(m) && !pl_racks_can_tell(m->layer[0].cell, m->hosts.n);
}

bool pl_rates_is_lonely(const struct pl_matrix *m, size_t host)
{
	const double *cell = m->layer[0].cell;
	const size_t n = m->hosts.n;

	for (size_t i = 0; i < n; i++)
		if (i != host && !(isnan(cell[host * n + i]) && isnan(cell[i * n + host])))
			return false;
	return true;
}

/* Each of them is a rack of its own. @first [n] is scratch. */
static void part_lonely(const struct pl_matrix *m, size_t *rack, size_t *first)
{
	const size_t n = m->hosts.n;

	for (size_t h = 0; h < n; h++)
		first[h] = n;
	for (size_t h = 0; h < n; h++) {
		const size_t was = rack[h];

		rack[h] = h;
		if (pl_rates_is_lonely(m, h))
			continue;
		if (first[was] == n)
			first[was] = h;
		rack[h] = first[was];
	}
}

/* The outermost groups, by which each host is described. */
struct level {
	size_t n;
	size_t *group;   /* [n] its number */
	size_t *of_host; /* [hosts] which of the level */
	double *cell;    /* [n * n] what is usual between two of them */
};

static void level_fini(struct level *l)
{
	free(l->group);
	free(l->of_host);
	free(l->cell);
}

static int level_init(struct level *l, const struct pl_tiers *t)
{
	size_t *place = pl_array_create(t->n_groups, sizeof(*place));

	*l = (struct level){0};
	l->group = pl_array_create(t->n_groups, sizeof(*l->group));
	l->of_host = pl_array_create(t->n, sizeof(*l->of_host));
	if (place && l->group && l->of_host) {
		for (size_t g = 0; g < t->n_groups; g++)
			if (t->within[g] == PL_NO_GROUP) {
				place[g] = l->n;
				l->group[l->n++] = g;
			}
		for (size_t h = 0; h < t->n; h++) {
			size_t g = t->rack[h];

			while (t->within[g] != PL_NO_GROUP)
				g = t->within[g];
			l->of_host[h] = place[g];
		}
		l->cell = pl_array_create(l->n, l->n * sizeof(*l->cell));
	}
	free(place);
	return l->cell ? 0 : -1;
}

/* Hosts by their groups: host[] of group @a from begin[a] to begin[a + 1]. */
static void sort_hosts(const struct level *l, size_t n, size_t *host, size_t *begin)
{
	for (size_t a = 0; a <= l->n; a++)
		begin[a] = 0;
	for (size_t h = 0; h < n; h++)
		begin[l->of_host[h] + 1]++;
	for (size_t a = 0; a < l->n; a++)
		begin[a + 1] += begin[a];
	for (size_t h = n; h-- > 0;)
		host[--begin[l->of_host[h] + 1]] = h;
	for (size_t a = 0; a < l->n; a++)
		begin[a] = begin[a + 1];
	begin[l->n] = n;
}

/* Median of the measurements from one group to another. */
static int take_medians(struct level *l, const struct pl_matrix *m)
{
	const size_t n = m->hosts.n;
	const double *cell = m->layer[0].cell;
	size_t *host = pl_array_create(n, sizeof(*host));
	size_t *begin = pl_array_create(l->n + 1, sizeof(*begin));
	double *v = pl_array_create(n, n * sizeof(*v));
	const bool ready = host && begin && v;

	if (ready)
		sort_hosts(l, n, host, begin);
	for (size_t at = 0; ready && at < l->n * l->n; at++) {
		const size_t a = at / l->n, b = at % l->n;
		size_t k = 0;

		for (size_t i = begin[a]; a != b && i < begin[a + 1]; i++)
			for (size_t j = begin[b]; j < begin[b + 1]; j++) {
				const double d = cell[host[i] * n + host[j]];

				if (!isnan(d))
					v[k++] = d;
			}
		l->cell[at] = a == b ? 0 : pl_median(v, k);
	}
	free(host);
	free(begin);
	free(v);
	return ready ? 0 : -1;
}

/* Puts those of one part into a new group, but for a part of one. 1: there was such a part; 0:
 * none; -1: no memory. */
static int join(struct pl_tiers *t, const struct level *l, const size_t *part, size_t n_parts)
{
	int joined = 0;

	for (size_t p = 0; n_parts > 1 && p < n_parts; p++) {
		size_t n_in = 0, outer;

		for (size_t a = 0; a < l->n; a++)
			n_in += part[a] == p;
		if (n_in < 2)
			continue;
		outer = pl_tiers_add_group(t);
		if (outer == PL_NO_GROUP)
			return -1;
		for (size_t a = 0; a < l->n; a++)
			if (part[a] == p)
				t->within[l->group[a]] = outer;
		joined = 1;
	}
	return joined;
}

/* Adds groups around those that there are, in the same way as join. */
static int widen(struct pl_tiers *t, const struct pl_matrix *m)
{
	struct level l = {0};
	size_t *part = NULL, n_parts;
	int rc = level_init(&l, t);

	if (rc == 0 && l.n >= GROUPS_LEAST) {
		part = pl_array_create(l.n, sizeof(*part));
		rc = part && take_medians(&l, m) == 0 &&
				     pl_racks(l.cell, l.n, part, &n_parts, NULL) == 0
			     ? join(t, &l, part, n_parts)
			     : -1;
	}
	free(part);
	level_fini(&l);
	return rc;
}

static int find_racks(struct pl_tiers *t, const struct pl_matrix *m)
{
	size_t *map = pl_array_create(t->n, sizeof(*map));
	size_t n_racks;
	int rc = -1;

	if (map && pl_racks(m->layer[0].cell, t->n, t->rack, &n_racks, NULL) == 0) {
		part_lonely(m, t->rack, map);
		n_racks = pl_group_renumber(t->rack, t->n, map);
		for (rc = 0; rc == 0 && t->n_groups < n_racks;)
			rc = pl_tiers_add_group(t) == PL_NO_GROUP ? -1 : 0;
	}
	free(map);
	return rc;
}

int pl_rates_groups(struct pl_tiers *t, const struct pl_matrix *m, struct pl_err *err)
{
	int more = 1;

	if (pl_tiers_init(t, m->hosts.n, err))
		return -1;
	if (m->few || m->hosts.n == 0 || !has_times(m) || pl_rates_too_few(m))
		return 0;
	if (find_racks(t, m))
		more = -1;
	for (int level = 0; more > 0 && level < LEVELS_MAX; level++)
		more = widen(t, m);
	if (more >= 0)
		return 0;
	pl_tiers_fini(t);
	return pl_err_nomem(err);
}

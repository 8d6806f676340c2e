/* SPDX-License-Identifier: BSD-3-Clause */
/* fabric.c - switches, the links between them and the hosts below them */
#include "config.h"

#include "topology/providers/fabric.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FAR ((size_t)-1)

int pl_fabric_switch(struct pl_fabric *f, const struct pl_word *id, size_t *at)
{
	const ptrdiff_t found = pl_names_find(&f->switches, id->s, id->len);

	if (found >= 0) {
		*at = (size_t)found;
		return 0;
	}
	if (pl_array_grow((void **)&f->sw, &f->switches_room, f->n_switches, sizeof(*f->sw)) ||
	    pl_names_add(&f->switches, id->s, id->len, f->n_switches))
		return -1;
	*at = f->n_switches++;
	f->sw[*at] = (struct pl_fabric_switch){.id = *id};
	return 0;
}

int pl_fabric_link(struct pl_fabric *f, size_t a, size_t b)
{
	if (pl_array_grow((void **)&f->link, &f->links_room, f->n_links, sizeof(*f->link)))
		return -1;
	f->link[f->n_links++] = (struct pl_fabric_link){a, b};
	return 0;
}

static int compare_words(const struct pl_word *x, const struct pl_word *y)
{
	const size_t len = x->len < y->len ? x->len : y->len;
	const int order = memcmp(x->s, y->s, len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

int pl_fabric_host(struct pl_fabric *f, const struct pl_word *name, const struct pl_word *adapter,
		   size_t at)
{
	const struct pl_fabric_host host = {*name, *adapter, at};
	const ptrdiff_t found = pl_names_find(&f->hosts, name->s, name->len);

	if (found >= 0) {
		if (compare_words(adapter, &f->host[found].adapter) < 0)
			f->host[found] = host;
		return 0;
	}
	if (pl_array_grow((void **)&f->host, &f->hosts_room, f->n_hosts, sizeof(*f->host)) ||
	    pl_names_add(&f->hosts, name->s, name->len, f->n_hosts))
		return -1;
	f->host[f->n_hosts++] = host;
	return 0;
}

/* Ranks by rounds over all links; the largest, FAR ones not counted. */
static size_t find_ranks(struct pl_fabric *f)
{
	size_t rank = 0;
	bool found = true;

	for (size_t s = 0; s < f->n_switches; s++)
		f->sw[s].rank = FAR;
	for (size_t h = 0; h < f->n_hosts; h++)
		f->sw[f->host[h].at].rank = 0;
	while (found && rank + 1 < PL_PLACES_LEVELS_MAX) {
		found = false;
		for (size_t k = 0; k < f->n_links; k++) {
			struct pl_fabric_switch *a = &f->sw[f->link[k].a];
			struct pl_fabric_switch *b = &f->sw[f->link[k].b];

			if (a->rank == rank && b->rank == FAR)
				b->rank = rank + 1;
			else if (b->rank == rank && a->rank == FAR)
				a->rank = rank + 1;
			else
				continue;
			found = true;
		}
		rank += found;
	}
	return rank;
}

static size_t group_of(struct pl_fabric *f, size_t s)
{
	while (f->sw[s].up != s)
		s = f->sw[s].up = f->sw[f->sw[s].up].up;
	return s;
}

static void join(struct pl_fabric *f, size_t rank)
{
	for (size_t k = 0; k < f->n_links; k++) {
		const struct pl_fabric_link *l = &f->link[k];
		const size_t a = f->sw[l->a].rank, b = f->sw[l->b].rank;

		if (a <= rank && b <= rank && (a == rank || b == rank))
			f->sw[group_of(f, l->a)].up = group_of(f, l->b);
	}
}

/*
 * The switches of rank k and below fall into groups that are linked. Sets head[s * (top + 1) + k],
 * the switch after which the group of leaf switch s is named: the first of rank k in the group or,
 * if there is none, the switch that the group of rank k - 1 was named after; for k = 0 the leaf
 * switch itself.
 */
static int find_heads(struct pl_fabric *f, size_t top, size_t *head)
{
	const size_t n = f->n_switches, levels = top + 1;
	size_t *first = pl_array_create(n, sizeof(*first));

	if (!first)
		return -1;
	for (size_t s = 0; s < n; s++)
		f->sw[s].up = head[s * levels] = s;
	for (size_t k = 1; k < levels; k++) {
		join(f, k);
		for (size_t s = 0; s < n; s++)
			first[s] = FAR;
		for (size_t s = n; s-- > 0;)
			if (f->sw[s].rank == k)
				first[group_of(f, s)] = s;
		for (size_t s = 0; s < n; s++) {
			const size_t at = first[group_of(f, s)];

			head[s * levels + k] = at == FAR ? head[s * levels + k - 1] : at;
		}
	}
	free(first);
	return 0;
}

/* A name that several switches have identifies none. */
static int drop_common_names(struct pl_fabric *f)
{
	struct pl_names names = {0};
	bool *common = pl_array_create(f->n_switches, sizeof(*common));
	int rc = common ? 0 : -1;

	for (size_t s = 0; rc == 0 && s < f->n_switches; s++) {
		const struct pl_word *name = &f->sw[s].name;
		const int known = pl_names_add(&names, name->s, name->len, s);

		if (known < 0)
			rc = -1;
		if (known > 0)
			common[s] = common[pl_names_find(&names, name->s, name->len)] = true;
	}
	for (size_t s = 0; rc == 0 && s < f->n_switches; s++)
		if (common[s])
			f->sw[s].name.len = 0;
	pl_names_fini(&names);
	free(common);
	return rc;
}

static int add_hosts(const struct pl_fabric *f, size_t top, const size_t *head, struct pl_places *p,
		     struct pl_err *err)
{
	for (size_t h = 0; h < f->n_hosts; h++) {
		const struct pl_fabric_host *host = &f->host[h];
		struct pl_places_path path = {0};

		for (size_t k = top + 1; k-- > 0;) {
			const struct pl_fabric_switch *sw = &f->sw[head[host->at * (top + 1) + k]];
			const struct pl_word *label = sw->name.len > 0 ? &sw->name : &sw->id;

			pl_places_push(&path, label->s, label->len);
		}
		if (pl_places_add(p, host->name.s, host->name.len, &path, err) < 0)
			return -1;
	}
	return 0;
}

int pl_fabric_places(struct pl_fabric *f, struct pl_places *p, struct pl_err *err)
{
	const size_t top = find_ranks(f);
	size_t *head = pl_array_create(f->n_switches, (top + 1) * sizeof(*head));
	int rc;

	if (!head || drop_common_names(f) || find_heads(f, top, head))
		rc = pl_err_nomem(err);
	else
		rc = add_hosts(f, top, head, p, err);
	free(head);
	return rc;
}

void pl_fabric_fini(struct pl_fabric *f)
{
	pl_names_fini(&f->switches);
	pl_names_fini(&f->hosts);
	free(f->sw);
	free(f->link);
	free(f->host);
	memset(f, 0, sizeof(*f));
}

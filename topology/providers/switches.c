/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.c - a tree of named switches, each above other switches or hosts */
#include "config.h"

#include "topology/providers/switches.h"

#include "base/mem.h"
#include "topology/providers/names.h"

#include <stdlib.h>
#include <string.h>

int pl_switches_add(struct pl_switches *s, const struct pl_word *name)
{
	int rc;

	if (pl_array_grow((void **)&s->v, &s->room, s->n, sizeof(*s->v)))
		return pl_err_nomem(s->err);
	rc = pl_names_add(&s->names, name->s, name->len, s->n);
	if (rc > 0)
		return pl_err_at(s->err, name->place, "\"%.*s\" appears again", (int)name->len,
				 name->s);
	if (rc < 0)
		return pl_err_nomem(s->err);
	s->v[s->n] = (struct pl_switch){.name = *name, .above = PL_NO_SWITCH, .same = s->n};
	s->n++;
	return 0;
}

static size_t find(const struct pl_switches *s, const struct pl_word *name)
{
	return (size_t)pl_names_find(&s->names, name->s, name->len);
}

int pl_switches_link(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list)
{
	const size_t above = find(s, name);
	char below[PL_HOSTRANGE_CHARS + 1];
	struct pl_provider_names names;
	int more;

	if (list->len == 0)
		return 0;
	pl_provider_names_init(&names, list);
	while ((more = pl_provider_names_next(&names, below, s->err)) > 0) {
		const ptrdiff_t at = pl_names_find(&s->names, below, strlen(below));

		if (at < 0)
			return pl_err_at(s->err, names.place, "nothing describes %s \"%s\"",
					 s->kind, below);
		if (pl_array_grow((void **)&s->link, &s->links_room, s->n_links, sizeof(*s->link)))
			return pl_err_nomem(s->err);
		s->link[s->n_links++] =
			(struct pl_switch_link){.above = above, .below = (size_t)at};
	}
	return more;
}

/* The switch that stands for all that are the same. */
static size_t one_of(const struct pl_switches *s, size_t at)
{
	while (s->v[at].same != at)
		at = s->v[at].same;
	return at;
}

/* Places @below below @above. What both list a switch are taken to be the same, and so is what
 * lists these. */
static void place(struct pl_switches *s, size_t above, size_t below)
{
	size_t a = one_of(s, above), b;
	const size_t c = one_of(s, below);

	if (s->v[c].above == PL_NO_SWITCH) {
		s->v[c].above = a;
		return;
	}
	for (b = one_of(s, s->v[c].above); a != b; b = one_of(s, b)) {
		const size_t x = s->v[a].above, y = s->v[b].above;
		const size_t first = a < b ? a : b;

		s->v[a].same = s->v[b].same = first;
		if (x == PL_NO_SWITCH || y == PL_NO_SWITCH)
			s->v[first].above = x == PL_NO_SWITCH ? y : x;
		if (x == PL_NO_SWITCH || y == PL_NO_SWITCH)
			return;
		a = one_of(s, x);
		b = y;
	}
}

static int compare_links(const void *a, const void *b)
{
	const struct pl_switch_link *x = a, *y = b;

	if (x->above != y->above)
		return x->above < y->above ? -1 : 1;
	return x->below < y->below ? -1 : x->below > y->below;
}

/* Sorts the links. Is link @k then the first of two switches? */
static bool is_first(const struct pl_switches *s, size_t k)
{
	if (k == 0)
		qsort(s->link, s->n_links, sizeof(*s->link), compare_links);
	return k == 0 || compare_links(&s->link[k - 1], &s->link[k]) != 0;
}

/* Counts what each switch lists, and what those that are the same list together. */
static void count_links(struct pl_switches *s)
{
	for (size_t k = 0; k < s->n_links; k++)
		s->link[k].below = one_of(s, s->link[k].below);
	for (size_t k = 0; k < s->n_links; k++)
		s->v[s->link[k].above].n_below += is_first(s, k);
	for (size_t k = 0; k < s->n_links; k++)
		s->link[k].above = one_of(s, s->link[k].above);
	for (size_t k = 0; k < s->n_links; k++)
		s->v[s->link[k].above].n_joined += is_first(s, k);
}

int pl_switches_join(struct pl_switches *s)
{
	for (size_t k = 0; k < s->n_links; k++)
		place(s, s->link[k].above, s->link[k].below);
	count_links(s);
	for (size_t i = 0; i < s->n; i++) {
		const struct pl_switch *one = &s->v[i];

		if (one->n_below > 0 && one->n_below != s->v[one_of(s, i)].n_joined)
			return pl_err_at(s->err, one->name.place,
					 "%s \"%.*s\" shares some, but not all that is below it "
					 "with others: this is no tree",
					 s->kind, (int)one->name.len, one->name.s);
	}
	return 0;
}

/* From the top down to that switch. */
static int make_path(struct pl_switches *s, const struct pl_word *name, struct pl_places_path *path)
{
	size_t way[PL_PLACES_LEVELS_MAX], n = 0;

	for (size_t at = find(s, name); at != PL_NO_SWITCH; at = s->v[at].above) {
		at = one_of(s, at);
		if (n == PL_PLACES_LEVELS_MAX)
			return pl_err_at(
				s->err, name->place,
				"more than %d levels above one another, or a circle of them",
				PL_PLACES_LEVELS_MAX);
		way[n++] = at;
	}
	*path = (struct pl_places_path){0};
	while (n-- > 0)
		pl_places_push(path, s->v[way[n]].name.s, s->v[way[n]].name.len);
	return 0;
}

/* Is the host in the place that the path leads to? */
static bool is_within(const struct pl_places *p, size_t host, const struct pl_places_path *path)
{
	size_t at = p->host[host].node;

	while (p->node[at].depth > path->n)
		at = p->node[at].parent;
	if (p->node[at].depth < path->n)
		return false;
	for (size_t k = path->n; k-- > 0; at = p->node[at].parent)
		if (strlen(p->node[at].label) != path->label[k].len ||
		    memcmp(p->node[at].label, path->label[k].s, path->label[k].len))
			return false;
	return true;
}

static int add_hosts(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list,
		     const struct pl_places_path *path)
{
	const bool above = s->v[find(s, name)].n_below > 0;
	char host[PL_HOSTRANGE_CHARS + 1];
	struct pl_provider_names names;
	int more;

	pl_provider_names_init(&names, list);
	while ((more = pl_provider_names_next(&names, host, s->err)) > 0) {
		const size_t len = strlen(host);
		const ptrdiff_t old = pl_places_find(s->p, host, len);

		if (old >= 0 && !strcmp(s->p->host[old].name, host)) {
			if (above && is_within(s->p, (size_t)old, path))
				continue;
			return pl_err_at(s->err, names.place,
					 "node \"%s\" is in two places, \"%.*s\" and another", host,
					 (int)name->len, name->s);
		}
		if (pl_places_add(s->p, host, len, path, s->err) < 0)
			return -1;
	}
	return more;
}

int pl_switches_hosts(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list)
{
	struct pl_places_path path;

	if (make_path(s, name, &path))
		return -1;
	if (list->len == 0 || s->v[find(s, name)].n_below > 0)
		return 0;
	return add_hosts(s, name, list, &path);
}

int pl_switches_hosts_above(struct pl_switches *s, const struct pl_word *name,
			    const struct pl_word *list)
{
	struct pl_places_path path;

	if (list->len == 0 || s->v[find(s, name)].n_below == 0)
		return 0;
	return make_path(s, name, &path) || add_hosts(s, name, list, &path) ? -1 : 0;
}

void pl_switches_fini(struct pl_switches *s)
{
	pl_names_fini(&s->names);
	free(s->link);
	free(s->v);
}

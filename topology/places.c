/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c - where hosts stand: region, zone, rack, as a file tells */
#include "config.h"

#include "topology/places.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_places_push(struct pl_places_path *path, const char *s, size_t len)
{
	if (path->n == PL_PLACES_LEVELS_MAX)
		return -1;
	path->label[path->n].s = s;
	path->label[path->n++].len = len;
	return 0;
}

/* "12/label": unlike those of other parents, and the label is the end of it. */
static char *make_key(size_t parent, const char *label, size_t len)
{
	char number[32];
	const int used = snprintf(number, sizeof(number), "%zu/", parent);
	char *key = pl_array_create((size_t)used + len + 1, 1);

	if (!key)
		return NULL;
	memcpy(key, number, (size_t)used);
	if (len > 0) /* an unknown place has no label */
		memcpy(key + used, label, len);
	return key;
}

/* Appends a place; takes @key, whose end is the label. */
static int add_node(struct pl_places *p, size_t parent, char *key, const char *label)
{
	const size_t depth = p->n_nodes ? p->node[parent].depth + 1 : 0;

	if (pl_array_grow((void **)&p->node, &p->nodes_room, p->n_nodes, sizeof(*p->node)) ||
	    pl_names_add(&p->nodes, key, strlen(key), p->n_nodes)) {
		free(key);
		return -1;
	}
	p->node[p->n_nodes++] = (struct pl_places_node){
		.parent = parent, .depth = depth, .label = label, .key = key};
	return 0;
}

/* The place of that label in @parent, created if it is new; -1: no memory. */
static ptrdiff_t enter(struct pl_places *p, size_t parent, const char *label, size_t len)
{
	char *key = make_key(parent, label, len);
	ptrdiff_t found;

	if (!key)
		return -1;
	found = pl_names_find(&p->nodes, key, strlen(key));
	if (found >= 0) {
		free(key);
		return found;
	}
	if (add_node(p, parent, key, strchr(key, '/') + 1))
		return -1;
	return (ptrdiff_t)p->n_nodes - 1;
}

static void raise_heights(struct pl_places *p, size_t node)
{
	size_t height = 0;

	while (node != 0) {
		height += *p->node[node].label != '\0';
		node = p->node[node].parent;
		if (p->node[node].height < height)
			p->node[node].height = height;
	}
}

/* The whole: no other place has a key without a parent's number. */
static int add_root(struct pl_places *p)
{
	char *key = pl_string_copy("", 0);

	return key ? add_node(p, 0, key, key) : -1;
}

/* The place that a path leads to; -1: no memory. */
static ptrdiff_t follow(struct pl_places *p, const struct pl_places_path *path)
{
	size_t n = path->n;
	ptrdiff_t node = 0;

	if (p->n_nodes == 0 && add_root(p))
		return -1;
	while (n > 0 && path->label[n - 1].len == 0)
		n--;
	for (size_t i = 0; i < n && node >= 0; i++)
		node = enter(p, (size_t)node, path->label[i].s, path->label[i].len);
	if (node > 0)
		raise_heights(p, (size_t)node);
	return node;
}

static int new_alias(struct pl_places *p, const char *s, size_t len,
		     const struct pl_places_alias *as)
{
	struct pl_places_alias alias = *as;

	if (pl_array_grow((void **)&p->alias, &p->aliases_room, p->n_aliases, sizeof(*p->alias)))
		return -1;
	alias.s = pl_string_copy(s, len);
	if (!alias.s || pl_names_add(&p->aliases, alias.s, len, p->n_aliases)) {
		free(alias.s);
		return -1;
	}
	p->alias[p->n_aliases++] = alias;
	return 0;
}

/* A full name in the file takes precedence over a part of one. */
static int add_alias(struct pl_places *p, const char *s, size_t len,
		     const struct pl_places_alias *as)
{
	const ptrdiff_t at = pl_names_find(&p->aliases, s, len);
	struct pl_places_alias *old;

	if (at < 0)
		return new_alias(p, s, len, as);
	old = &p->alias[at];
	if (old->weak && !as->weak) {
		old->host = as->host;
		old->weak = old->several = false;
	} else if (old->weak == as->weak && old->host != as->host) {
		old->several = true;
	}
	return 0;
}

/* Bytes before the last dot of s[@len], a name; 0: there is none, or this is an address. */
static size_t before_dot(const char *s, size_t len)
{
	const char *dot = memrchr(s, '.', len);

	return !dot || pl_host_is_address(s, len) ? 0 : (size_t)(dot - s);
}

int pl_places_also(struct pl_places *p, size_t host, const char *name, size_t len,
		   struct pl_err *err)
{
	struct pl_places_alias alias = {.host = host};
	size_t until;

	if (len == 0)
		return 0;
	if (add_alias(p, name, len, &alias))
		return pl_err_nomem(err);
	alias.weak = true;
	for (until = before_dot(name, len); until > 0; until = before_dot(name, until))
		if (add_alias(p, name, until, &alias))
			return pl_err_nomem(err);
	return 0;
}

ptrdiff_t pl_places_add(struct pl_places *p, const char *name, size_t len,
			const struct pl_places_path *path, struct pl_err *err)
{
	ptrdiff_t node;
	char *copy;

	if (p->n == PL_PLACES_HOSTS_MAX)
		return pl_err_set(err, PL_EINPUT, "more than %d hosts", PL_PLACES_HOSTS_MAX);
	if (pl_array_grow((void **)&p->host, &p->room, p->n, sizeof(*p->host)))
		return pl_err_nomem(err);
	node = follow(p, path);
	copy = node < 0 ? NULL : pl_string_copy(name, len);
	if (!copy)
		return pl_err_nomem(err);
	p->host[p->n++] = (struct pl_places_host){.name = copy, .node = (size_t)node};
	if (pl_places_also(p, p->n - 1, name, len, err))
		return -1;
	return (ptrdiff_t)p->n - 1;
}

ptrdiff_t pl_places_find(const struct pl_places *p, const char *name, size_t len)
{
	const ptrdiff_t at = pl_names_find(&p->aliases, name, len);

	if (at < 0)
		return PL_PLACES_NONE;
	return p->alias[at].several ? PL_PLACES_SEVERAL : (ptrdiff_t)p->alias[at].host;
}

/* The host of which a whole name in the file is that name up to a dot: the longest such. */
static ptrdiff_t find_beginning(const struct pl_places *p, const char *name)
{
	for (size_t n = before_dot(name, strlen(name)); n > 0; n = before_dot(name, n)) {
		const ptrdiff_t at = pl_names_find(&p->aliases, name, n);

		if (at >= 0 && !p->alias[at].weak)
			return pl_places_find(p, name, n);
	}
	return PL_PLACES_NONE;
}

static ptrdiff_t find_host(const struct pl_places *p, const struct pl_host *host)
{
	const char *const name[] = {host->name, host->node, host->addr};
	ptrdiff_t worst = PL_PLACES_NONE;

	for (size_t shortly = 0; shortly < 2; shortly++)
		for (size_t i = 0; i < 3; i++) {
			ptrdiff_t at;

			if (!name[i] || !*name[i])
				continue;
			at = shortly ? find_beginning(p, name[i])
				     : pl_places_find(p, name[i], strlen(name[i]));
			if (at >= 0)
				return at;
			if (at == PL_PLACES_SEVERAL)
				worst = at;
		}
	return worst;
}

/* Does the file name it, but no place of it? Plain files say so on purpose ("-"). */
static bool is_unplaced(const struct pl_places *p, size_t host)
{
	size_t x = p->host[host].node;

	while (x != 0 && !*p->node[x].label)
		x = p->node[x].parent;
	return x == 0 && pl_places_levels(p) > 0 && strcmp(p->form, "plain") != 0;
}

ptrdiff_t pl_places_find_host(const struct pl_places *p, const struct pl_host *host)
{
	const ptrdiff_t at = find_host(p, host);

	return at >= 0 && is_unplaced(p, (size_t)at) ? PL_PLACES_UNPLACED : at;
}

/* The narrowest place that both hosts are known to be in. */
static size_t common(const struct pl_places *p, size_t a, size_t b)
{
	size_t x = p->host[a].node, y = p->host[b].node;

	while (x != y) {
		if (p->node[x].depth >= p->node[y].depth)
			x = p->node[x].parent;
		else
			y = p->node[y].parent;
	}
	while (x != 0 && !*p->node[x].label)
		x = p->node[x].parent;
	return x;
}

size_t pl_places_apart(const struct pl_places *p, size_t a, size_t b)
{
	return a == b ? 0 : 1 + p->node[common(p, a, b)].height;
}

size_t pl_places_levels(const struct pl_places *p)
{
	return p->n_nodes ? p->node[0].height : 0;
}

const char *pl_places_path(const struct pl_places *p, size_t host, char *buf, size_t room)
{
	size_t way[PL_PLACES_LEVELS_MAX], n = 0, used = 0;

	for (size_t x = p->host[host].node; x != 0; x = p->node[x].parent)
		way[n++] = x;
	snprintf(buf, room, "-");
	while (n-- > 0 && used < room) {
		const char *label = p->node[way[n]].label;

		used += (size_t)snprintf(buf + used, room - used, "%s%s", used ? "/" : "",
					 *label ? label : "-");
	}
	return buf;
}

void pl_places_fini(struct pl_places *p)
{
	pl_names_fini(&p->aliases);
	pl_names_fini(&p->nodes);
	for (size_t i = 0; i < p->n; i++)
		free(p->host[i].name);
	for (size_t i = 0; i < p->n_nodes; i++)
		free(p->node[i].key);
	for (size_t i = 0; i < p->n_aliases; i++)
		free(p->alias[i].s);
	free(p->host);
	free(p->node);
	free(p->alias);
	memset(p, 0, sizeof(*p));
}

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
	s->v[s->n++] = (struct pl_switch){.name = *name, .above = PL_NO_SWITCH};
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
		if (s->v[at].above != PL_NO_SWITCH)
			return pl_err_at(s->err, names.place,
					 "%s \"%s\" is below two others: this is no tree", s->kind,
					 below);
		s->v[at].above = above;
	}
	return more;
}

/* From the top down to that switch. */
static int make_path(struct pl_switches *s, const struct pl_word *name, struct pl_places_path *path)
{
	size_t way[PL_PLACES_LEVELS_MAX], n = 0;

	for (size_t at = find(s, name); at != PL_NO_SWITCH; at = s->v[at].above) {
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

int pl_switches_hosts(struct pl_switches *s, const struct pl_word *name, const struct pl_word *list)
{
	char host[PL_HOSTRANGE_CHARS + 1];
	struct pl_provider_names names;
	struct pl_places_path path;
	int more;

	if (make_path(s, name, &path))
		return -1;
	if (list->len == 0)
		return 0;
	pl_provider_names_init(&names, list);
	while ((more = pl_provider_names_next(&names, host, s->err)) > 0) {
		const size_t len = strlen(host);
		const ptrdiff_t old = pl_places_find(s->p, host, len);

		if (old >= 0 && !strcmp(s->p->host[old].name, host))
			return pl_err_at(s->err, names.place,
					 "node \"%s\" is in two places, \"%.*s\" and another", host,
					 (int)name->len, name->s);
		if (pl_places_add(s->p, host, len, &path, s->err) < 0)
			return -1;
	}
	return more;
}

void pl_switches_fini(struct pl_switches *s)
{
	pl_names_fini(&s->names);
	free(s->v);
}

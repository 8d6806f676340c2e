/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c - "host region/zone/rack" a line */
#include "config.h"

#include "topology/providers/providers.h"

#include "topology/providers/names.h"

#include <string.h>

/* "a/b/c", perhaps after a slash; "-" or nothing is a label not known. */
static int parse_path(const struct pl_word *word, struct pl_places_path *path, struct pl_err *err)
{
	size_t from = word->s[0] == '/' ? 1 : 0;

	*path = (struct pl_places_path){0};
	while (from <= word->len) {
		const char *s = word->s + from;
		const char *slash = memchr(s, '/', word->len - from);
		const size_t len = slash ? (size_t)(slash - s) : word->len - from;
		const bool unknown = len == 1 && *s == '-';
		struct pl_place place = word->place;

		place.col += (long)from;
		if (pl_places_push(path, s, unknown ? 0 : len))
			return pl_err_at(err, place, "more than %d labels", PL_PLACES_LEVELS_MAX);
		from += len + 1;
	}
	return 0;
}

/* gcloud's value() ends the line of an instance of which it does not know the place in a tab. */
static bool ends_in_tab(const struct pl_line *line)
{
	return line->len > 0 && line->s[line->len - 1] == '\t';
}

/* "node=" or "addr=", other names of the one host of the line. */
static int parse_other_name(struct pl_places *p, const struct pl_word *word, size_t n_hosts,
			    struct pl_err *err)
{
	const bool is_one =
		word->len > 5 && (!memcmp(word->s, "node=", 5) || !memcmp(word->s, "addr=", 5));

	if (!is_one)
		return pl_err_at(
			err, word->place,
			"only node=NAME or addr=ADDRESS may follow a path; labels have no blanks");
	if (n_hosts != 1)
		return pl_err_at(err, word->place, "this name would be that of %zu hosts at once",
				 n_hosts);
	return pl_places_also(p, p->n - 1, word->s + 5, word->len - 5, err);
}

static int add_host(struct pl_places *p, const char *name, struct pl_place at,
		    const struct pl_places_path *path, struct pl_err *err)
{
	const size_t len = strlen(name);
	const ptrdiff_t old = pl_places_find(p, name, len);

	if (old >= 0 && !strcmp(p->host[old].name, name))
		return pl_err_at(err, at, "host \"%s\" appears again", name);
	return pl_places_add(p, name, len, path, err) < 0 ? -1 : 0;
}

static int parse_line(struct pl_places *p, struct pl_line *line, struct pl_err *err)
{
	char name[PL_HOSTRANGE_CHARS + 1];
	const size_t from = p->n;
	struct pl_word hosts, word;
	struct pl_provider_names names;
	struct pl_places_path path;
	int more;

	if (!pl_line_next(line, &hosts) || hosts.s[0] == '#')
		return 0;
	if (!pl_line_word(line, &word) && !ends_in_tab(line))
		return pl_err_at(err, pl_line_place(line),
				 "a place must follow the host, such as region/zone/rack, or - if "
				 "it is not known");
	if (parse_path(&word, &path, err))
		return -1;
	pl_provider_names_init(&names, &hosts);
	while ((more = pl_provider_names_next(&names, name, err)) > 0)
		if (add_host(p, name, hosts.place, &path, err))
			return -1;
	while (more == 0 && pl_line_next(line, &word) && word.s[0] != '#')
		if (parse_other_name(p, &word, p->n - from, err))
			return -1;
	return more;
}

int pl_provider_plain(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	p->form = "plain";
	while (pl_text_next(text, &line))
		if (parse_line(p, &line, err))
			return -1;
	return 0;
}

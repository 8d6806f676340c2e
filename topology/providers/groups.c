/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c - what plink-groups prints, as text or JSON */
#include "config.h"

#include "topology/providers/json.h"
#include "topology/providers/providers.h"

#include <stdio.h>
#include <string.h>

static int add_host(struct pl_places *p, const char *name, size_t len,
		    const struct pl_places_path *path, struct pl_place at, struct pl_err *err)
{
	const ptrdiff_t old = pl_places_find(p, name, len);

	if (old >= 0 && strlen(p->host[old].name) == len &&
	    memcmp(p->host[old].name, name, len) == 0)
		return pl_err_at(err, at, "host \"%.*s\" appears again", (int)len, name);
	return pl_places_add(p, name, len, path, err) < 0 ? -1 : 0;
}

static bool ends_in_colon(const struct pl_word *word)
{
	return word->len > 1 && word->s[word->len - 1] == ':';
}

/* "rack 1: 4 hosts, inner ..., outer 500 us: h0 h1": the words up to the hosts, and the number of
 * the group. */
static bool read_head(struct pl_line *line, struct pl_word *number)
{
	struct pl_word word;

	if (!pl_line_next(line, &word) ||
	    !(pl_word_is(&word, "rack") || pl_word_is(&word, "group")) ||
	    !pl_line_next(line, number) || !ends_in_colon(number))
		return false;
	number->len--;
	while (pl_line_next(line, &word))
		if (ends_in_colon(&word))
			return true;
	return false;
}

bool pl_provider_is_groups(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word number;

	return read_head(&copy, &number);
}

int pl_provider_groups(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;

	p->form = "plink-groups";
	while (pl_text_next(text, &line)) {
		struct pl_line head = line;
		struct pl_word first, number, host;
		struct pl_places_path path = {0};

		if (!pl_line_next(&head, &first) || first.s[0] == '#' || pl_word_is(&first, "PAIA"))
			continue;
		if (!read_head(&line, &number))
			return pl_err_at(err, first.place, "no line of plink-groups");
		pl_places_push(&path, number.s, number.len);
		while (pl_line_next(&line, &host))
			if (add_host(p, host.s, host.len, &path, host.place, err))
				return -1;
	}
	return 0;
}

bool pl_provider_is_groups_json(const json_t *object)
{
	return json_is_array(json_object_get(object, "hosts")) && json_object_get(object, "inner");
}

/* The names of the groups around it and its own; else @number, its own. */
static int read_path(struct pl_provider_json *json, const json_t *group, const char *number,
		     struct pl_places_path *path, struct pl_err *err)
{
	const json_t *names = json_object_get(group, "path");

	*path = (struct pl_places_path){0};
	for (size_t k = 0; k < json_array_size(names); k++)
		if (pl_provider_label(json, path, json_string_value(json_array_get(names, k)), err))
			return -1;
	return path->n ? 0 : pl_provider_label(json, path, number, err);
}

int pl_provider_groups_json(struct pl_provider_json *json, struct pl_err *err)
{
	struct pl_places_path path;
	char number[24];
	json_t *host;
	size_t k;

	for (size_t i = 0; i < json->n; i++) {
		snprintf(number, sizeof(number), "%zu", i + 1);
		if (read_path(json, json->object[i], number, &path, err))
			return -1;
		json_array_foreach(json_object_get(json->object[i], "hosts"), k, host)
		{
			const char *name = json_string_value(host);

			if (!name)
				return pl_err_at(err, json->file, "group %zu: host %zu is no name",
						 i + 1, k + 1);
			if (add_host(json->p, name, strlen(name), &path, json->file, err))
				return -1;
		}
	}
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - Slurm's topology.conf: a tree of switches, or blocks */
#include "config.h"

#include "topology/providers/providers.h"

#include "base/mem.h"
#include "topology/providers/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_SWITCH ((size_t)-1)

/* A switch or a block; strings are borrowed from the text. */
struct box {
	struct pl_word name;
	size_t above; /* the switch that lists it, or NO_SWITCH */
};

struct reader {
	struct pl_places *p;
	struct pl_text *text;
	size_t start; /* of its lines */
	struct pl_err *err;
	struct box *box;
	size_t n, room;
	struct pl_names names; /* of boxes */
};

/* What the words of a record say; of no length where they do not. */
struct record {
	struct pl_word name, switches, nodes;
};

typedef int take_record(struct reader *r, const struct record *record);

/* The value of "key=value", keys in any case; or false. */
static bool value_of(const struct pl_word *word, const char *key,
		     struct pl_word *value)
{
	const size_t len = strlen(key);

	if (word->len <= len || strncasecmp(word->s, key, len) != 0 ||
	    word->s[len] != '=')
		return false;
	*value = *word;
	value->s += len + 1;
	value->len -= len + 1;
	value->place.col += (long)len + 1;
	return true;
}

static int take_word(struct reader *r, struct record *record,
		     const struct pl_word *word)
{
	struct pl_word value;

	if (value_of(word, "SwitchName", &value) ||
	    value_of(word, "BlockName", &value))
		record->name = value;
	else if (value_of(word, "Switches", &value))
		record->switches = value;
	else if (value_of(word, "Nodes", &value))
		record->nodes = value;
	else if (!memchr(word->s, '=', word->len))
		return pl_err_at(
			r->err, word->place,
			"only key=value is allowed in a topology.conf");
	return 0;
}

static int end_record(struct reader *r, struct record *record,
		      take_record *take)
{
	const struct pl_word *lists[] = {&record->switches, &record->nodes};
	int rc = 0;

	for (size_t i = 0; i < 2; i++)
		if (lists[i]->len > 0 && record->name.len == 0)
			return pl_err_at(r->err, lists[i]->place,
					 "of which switch or block? "
					 "SwitchName= or BlockName= is "
					 "missing");
	if (record->name.len > 0)
		rc = take(r, record);
	*record = (struct record){0};
	return rc;
}

/* Every record of the text, which may go on behind a backslash. */
static int each_record(struct reader *r, take_record *take)
{
	struct record record = {0};
	struct pl_line line;
	struct pl_word word;
	int rc = 0;

	r->text->pos = r->start;
	r->text->line = 0;
	while (rc == 0 && pl_text_next(r->text, &line)) {
		const char *comment = memchr(line.s, '#', line.len);
		bool goes_on = false;

		if (comment)
			line.len = (size_t)(comment - line.s);
		while (rc == 0 && !goes_on && pl_line_next(&line, &word)) {
			goes_on = word.len == 1 && *word.s == '\\';
			if (!goes_on)
				rc = take_word(r, &record, &word);
		}
		if (rc == 0 && !goes_on)
			rc = end_record(r, &record, take);
	}
	return rc ? rc : end_record(r, &record, take);
}

static int add_box(struct reader *r, const struct record *record)
{
	const struct pl_word *name = &record->name;
	int rc;

	if (pl_array_grow((void **)&r->box, &r->room, r->n, sizeof(*r->box)))
		return pl_err_nomem(r->err);
	rc = pl_names_add(&r->names, name->s, name->len, r->n);
	if (rc > 0)
		return pl_err_at(r->err, name->place, "\"%.*s\" appears again",
				 (int)name->len, name->s);
	if (rc < 0)
		return pl_err_nomem(r->err);
	r->box[r->n++] = (struct box){.name = *name, .above = NO_SWITCH};
	return 0;
}

static size_t find_box(const struct reader *r, const struct pl_word *name)
{
	return (size_t)pl_names_find(&r->names, name->s, name->len);
}

/* Switches= of a record: it stands above them. */
static int link_switches(struct reader *r, const struct record *record)
{
	const size_t above = find_box(r, &record->name);
	char name[PL_HOSTRANGE_CHARS + 1];
	struct pl_provider_names names;
	int more;

	if (record->switches.len == 0)
		return 0;
	pl_provider_names_init(&names, &record->switches);
	while ((more = pl_provider_names_next(&names, name, r->err)) > 0) {
		const ptrdiff_t at =
			pl_names_find(&r->names, name, strlen(name));

		if (at < 0)
			return pl_err_at(r->err, names.place,
					 "no line describes switch \"%s\"",
					 name);
		if (r->box[at].above != NO_SWITCH)
			return pl_err_at(r->err, names.place,
					 "switch \"%s\" is below two others: "
					 "this is no tree",
					 name);
		r->box[at].above = above;
	}
	return more;
}

/* From the top down to that switch. */
static int make_path(struct reader *r, const struct record *record,
		     struct pl_places_path *path)
{
	size_t way[PL_PLACES_LEVELS_MAX], n = 0;

	for (size_t at = find_box(r, &record->name); at != NO_SWITCH;
	     at = r->box[at].above) {
		if (n == PL_PLACES_LEVELS_MAX)
			return pl_err_at(r->err, record->name.place,
					 "more than %d switches above one "
					 "another, or a circle of them",
					 PL_PLACES_LEVELS_MAX);
		way[n++] = at;
	}
	*path = (struct pl_places_path){0};
	while (n-- > 0)
		pl_places_push(path, r->box[way[n]].name.s,
			       r->box[way[n]].name.len);
	return 0;
}

static int add_nodes(struct reader *r, const struct record *record)
{
	char name[PL_HOSTRANGE_CHARS + 1];
	struct pl_provider_names names;
	struct pl_places_path path;
	int more;

	if (make_path(r, record, &path))
		return -1;
	if (record->nodes.len == 0)
		return 0;
	pl_provider_names_init(&names, &record->nodes);
	while ((more = pl_provider_names_next(&names, name, r->err)) > 0) {
		const size_t len = strlen(name);
		const ptrdiff_t old = pl_places_find(r->p, name, len);

		if (old >= 0 && !strcmp(r->p->host[old].name, name))
			return pl_err_at(r->err, names.place,
					 "node \"%s\" is below two switches or "
					 "in two blocks",
					 name);
		if (pl_places_add(r->p, name, len, &path, r->err) < 0)
			return -1;
	}
	return more;
}

bool pl_provider_is_slurm(const struct pl_line *line)
{
	static const char *const key[] = {"SwitchName", "BlockName",
					  "BlockSizes"};
	struct pl_line copy = *line;
	struct pl_word word, value;

	if (!pl_line_next(&copy, &word))
		return false;
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (value_of(&word, key[i], &value))
			return true;
	return false;
}

int pl_provider_slurm(struct pl_places *p, struct pl_text *text,
		      struct pl_err *err)
{
	struct reader r = {
		.p = p, .text = text, .start = text->pos, .err = err};
	int rc;

	p->form = "slurm";
	rc = each_record(&r, add_box) || each_record(&r, link_switches) ||
			     each_record(&r, add_nodes)
		     ? -1
		     : 0;
	pl_names_fini(&r.names);
	free(r.box);
	return rc;
}

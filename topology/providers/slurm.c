/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.c - Slurm's topology.conf: a tree of switches, or blocks */
#include "config.h"

#include "topology/providers/providers.h"

#include "topology/providers/switches.h"

#include <string.h>
#include <strings.h>

struct reader {
	struct pl_text *text;
	size_t start; /* of its lines */
	struct pl_err *err;
	struct pl_switches switches;
};

/* What the words of a record say; of no length where they do not. */
struct record {
	struct pl_word name, switches, nodes;
};

typedef int take_record(struct reader *r, const struct record *record);

/* The value of "key=value", keys in any case; or false. */
static bool value_of(const struct pl_word *word, const char *key, struct pl_word *value)
{
	const size_t len = strlen(key);

	if (word->len <= len || strncasecmp(word->s, key, len) != 0 || word->s[len] != '=')
		return false;
	*value = *word;
	value->s += len + 1;
	value->len -= len + 1;
	value->place.col += (long)len + 1;
	return true;
}

static int take_word(struct reader *r, struct record *record, const struct pl_word *word)
{
	struct pl_word value;

	if (value_of(word, "SwitchName", &value) || value_of(word, "BlockName", &value))
		record->name = value;
	else if (value_of(word, "Switches", &value))
		record->switches = value;
	else if (value_of(word, "Nodes", &value))
		record->nodes = value;
	else if (!memchr(word->s, '=', word->len))
		return pl_err_at(r->err, word->place,
				 "only key=value is allowed in a topology.conf");
	return 0;
}

static int end_record(struct reader *r, struct record *record, take_record *take)
{
	const struct pl_word *lists[] = {&record->switches, &record->nodes};
	int rc = 0;

	for (size_t i = 0; i < 2; i++)
		if (lists[i]->len > 0 && record->name.len == 0)
			return pl_err_at(
				r->err, lists[i]->place,
				"of which switch or block? SwitchName= or BlockName= is missing");
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

static int add_switch(struct reader *r, const struct record *record)
{
	return pl_switches_add(&r->switches, &record->name);
}

static int link_switches(struct reader *r, const struct record *record)
{
	return pl_switches_link(&r->switches, &record->name, &record->switches);
}

static int add_nodes(struct reader *r, const struct record *record)
{
	return pl_switches_hosts(&r->switches, &record->name, &record->nodes);
}

bool pl_provider_is_slurm(const struct pl_line *line)
{
	static const char *const key[] = {"SwitchName", "BlockName", "BlockSizes"};
	struct pl_line copy = *line;
	struct pl_word word, value;

	if (!pl_line_next(&copy, &word))
		return false;
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (value_of(&word, key[i], &value))
			return true;
	return false;
}

int pl_provider_slurm(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {
		.text = text,
		.start = text->pos,
		.err = err,
		.switches = {.p = p, .kind = "switch", .err = err},
	};
	int rc;

	p->form = "slurm";
	rc = each_record(&r, add_switch) || each_record(&r, link_switches) ||
			     each_record(&r, add_nodes)
		     ? -1
		     : 0;
	pl_switches_fini(&r.switches);
	return rc;
}

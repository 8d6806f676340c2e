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
	bool aggregated; /* of adjacent blocks, as scontrol shows them */
};

typedef int take_record(struct reader *r, const struct record *record);

/* "key=value", also with blanks around the '=' and the value in quotes. */
struct setting {
	struct pl_word key, value;
};

static bool at(const struct pl_line *line, char c)
{
	return line->pos < line->len && line->s[line->pos] == c;
}

/* The next setting of the line; 0: there is none. */
static int next_setting(struct pl_line *line, struct setting *to, struct pl_err *err)
{
	size_t from;

	pl_line_skip(line);
	if (line->pos == line->len)
		return 0;
	to->key = (struct pl_word){.s = line->s + line->pos, .place = pl_line_place(line)};
	for (; line->pos < line->len && !at(line, '=') && !pl_is_blank(line->s[line->pos]);)
		line->pos++;
	to->key.len = (size_t)(line->s + line->pos - to->key.s);
	pl_line_skip(line);
	if (!at(line, '='))
		return pl_err_at(err, to->key.place,
				 "only key=value is allowed in a topology.conf");
	line->pos++;
	pl_line_skip(line);
	const bool quoted = at(line, '"');
	line->pos += quoted;
	from = line->pos;
	to->value = (struct pl_word){.s = line->s + from, .place = pl_line_place(line)};
	while (line->pos < line->len &&
	       (quoted ? !at(line, '"') : !pl_is_blank(line->s[line->pos])))
		line->pos++;
	to->value.len = line->pos - from;
	if (quoted && !at(line, '"'))
		return pl_err_at(err, to->value.place, "this quote is not closed");
	line->pos += quoted;
	return 1;
}

/* Keys are in any case. */
static bool key_is(const struct setting *setting, const char *key)
{
	return setting->key.len == strlen(key) &&
	       !strncasecmp(setting->key.s, key, setting->key.len);
}

static void take_setting(struct record *record, const struct setting *setting)
{
	if (key_is(setting, "SwitchName") || key_is(setting, "BlockName"))
		record->name = setting->value;
	else if (key_is(setting, "Switches"))
		record->switches = setting->value;
	else if (key_is(setting, "Nodes"))
		record->nodes = setting->value;
	else if (key_is(setting, "AggregatedBlock"))
		record->aggregated = true;
}

static int take_line(struct reader *r, struct pl_line *line, take_record *take)
{
	struct record record = {0};
	const struct pl_word *lists[] = {&record.switches, &record.nodes};
	struct setting setting;
	int more;

	while ((more = next_setting(line, &setting, r->err)) > 0)
		take_setting(&record, &setting);
	if (more < 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (lists[i]->len > 0 && record.name.len == 0 && !record.aggregated)
			return pl_err_at(
				r->err, lists[i]->place,
				"of which switch or block? SwitchName= or BlockName= is missing");
	return record.name.len > 0 ? take(r, &record) : 0;
}

static int each_record(struct reader *r, take_record *take)
{
	struct pl_line line;
	int rc = 0;

	r->text->pos = r->start;
	r->text->line = 0;
	while (rc == 0 && pl_text_next(r->text, &line))
		rc = take_line(r, &line, take);
	return rc;
}

/*
 * Makes one line of what goes on behind a backslash, with as many empty ones behind it as keep the
 * numbers of those that follow, and removes comments.
 */
static void join_lines(struct pl_text *text)
{
	size_t to = text->pos, joined = 0;
	struct pl_line line;

	while (pl_text_next(text, &line)) {
		const char *comment = memchr(line.s, '#', line.len);
		const bool in_list = joined && text->data[to - 1] == ',';
		size_t len = comment ? (size_t)(comment - line.s) : line.len, from = 0;
		bool goes_on;

		while (in_list && from < len && pl_is_blank(line.s[from]))
			from++;
		while (len > from && pl_is_blank(line.s[len - 1]))
			len--;
		goes_on = len > from && line.s[len - 1] == '\\';
		len -= from + goes_on;
		memmove(text->data + to, line.s + from, len);
		to += len;
		joined++;
		for (; !goes_on && joined > 0; joined--)
			if (to < text->len)
				text->data[to++] = '\n';
	}
	text->len = to;
	text->data[to] = '\0';
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

static int add_nodes_above(struct reader *r, const struct record *record)
{
	return pl_switches_hosts_above(&r->switches, &record->name, &record->nodes);
}

bool pl_provider_is_slurm(const struct pl_line *line)
{
	static const char *const key[] = {"SwitchName", "BlockName", "BlockSizes",
					  "AggregatedBlock"};
	struct pl_line copy = *line;
	struct setting setting;
	struct pl_err ignored;

	if (next_setting(&copy, &setting, &ignored) < 0)
		return false;
	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		if (key_is(&setting, key[i]))
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
	join_lines(text);
	rc = each_record(&r, add_switch) || each_record(&r, link_switches) ||
			     pl_switches_join(&r.switches) || each_record(&r, add_nodes) ||
			     each_record(&r, add_nodes_above)
		     ? -1
		     : 0;
	pl_switches_fini(&r.switches);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* ibnet.c - the output of ibnetdiscover: the switches of an InfiniBand
 * fabric */
#include "config.h"

#include "topology/providers/providers.h"

#include "topology/providers/fabric.h"

#include <string.h>

/*
 * After a line
 *	Switch	36 "S-GUID"		# "description" base port 0 lid 3 lmc 0
 * each link of that switch has one:
 *	[1]	"H-GUID"[1](GUID)	# "host adapter" lid 9 4xHDR
 *	[2]	"S-GUID"[7]		# "description" lid 4 4xHDR
 * The same links follow the lines of adapters (Ca) and routers (Rt) again.
 */
struct reader {
	struct pl_fabric fabric;
	size_t sw; /* the switch whose links follow */
	bool in_switch;
	struct pl_err *err;
};

/* SHARP's adapters sit within switches: no hosts. */
static bool is_inner(const struct pl_word *description)
{
	static const char inner[] = "Aggregation Node";
	const size_t len = sizeof(inner) - 1;

	return description->len >= len &&
	       memcmp(description->s + description->len - len, inner, len) == 0;
}

/* The next text in quotes from *pos on. 0: none; -1: the second quote is missing. */
static int next_quoted(const struct pl_line *line, size_t *pos, struct pl_word *word)
{
	const char *open = memchr(line->s + *pos, '"', line->len - *pos);
	const char *close;
	size_t from;

	if (!open)
		return 0;
	from = (size_t)(open - line->s) + 1;
	close = memchr(open + 1, '"', line->len - from);
	if (!close)
		return -1;
	*word = (struct pl_word){.s = open + 1,
				 .len = (size_t)(close - open) - 1,
				 .place = {line->file, line->number, (long)from + 1}};
	*pos = from + word->len + 1;
	return 1;
}

/* The id of what a line is about, and its description, which may be missing. */
static int take_names(struct reader *r, const struct pl_line *line, struct pl_word *id,
		      struct pl_word *description)
{
	const struct pl_place place = {line->file, line->number, 1};
	size_t pos = 0;

	*description = (struct pl_word){.s = ""};
	if (next_quoted(line, &pos, id) <= 0 || id->len < 3 || id->s[1] != '-' ||
	    next_quoted(line, &pos, description) < 0)
		return pl_err_at(
			r->err, place,
			"expected \"S-GUID\" or \"H-GUID\", then # and a description in quotes");
	return 0;
}

static int begin_switch(struct reader *r, const struct pl_line *line)
{
	struct pl_word id, description;

	if (take_names(r, line, &id, &description))
		return -1;
	if (pl_fabric_switch(&r->fabric, &id, &r->sw))
		return pl_err_nomem(r->err);
	r->fabric.sw[r->sw].name = description;
	r->in_switch = true;
	return 0;
}

/* "node7 mlx5_0": the host, and the name of its adapter. */
static int take_host(struct reader *r, const struct pl_word *description)
{
	struct pl_word name = *description, adapter = *description;
	const char *blank = memchr(name.s, ' ', name.len);

	if (blank)
		name.len = (size_t)(blank - name.s);
	if (name.len == 0 || is_inner(description))
		return 0;
	if (pl_fabric_host(&r->fabric, &name, &adapter, r->sw))
		return pl_err_nomem(r->err);
	return 0;
}

static int take_link(struct reader *r, const struct pl_line *line)
{
	struct pl_word id, description;
	size_t other;

	if (take_names(r, line, &id, &description))
		return -1;
	if (id.s[0] == 'H')
		return take_host(r, &description);
	if (id.s[0] != 'S') /* routers lead elsewhere */
		return 0;
	if (pl_fabric_switch(&r->fabric, &id, &other) || pl_fabric_link(&r->fabric, r->sw, other))
		return pl_err_nomem(r->err);
	r->fabric.sw[other].name = description;
	return 0;
}

static int take_line(struct reader *r, const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	if (!pl_line_next(&copy, &word) || word.s[0] == '#')
		return 0;
	if (pl_word_is(&word, "Switch"))
		return begin_switch(r, line);
	if (word.s[0] == '[')
		return r->in_switch ? take_link(r, line) : 0;
	r->in_switch = false; /* vendid=, Ca, Rt, Chassis, ... */
	return 0;
}

bool pl_provider_is_ibnet(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	if (!pl_line_next(&copy, &word))
		return false;
	if (word.len > 9 && memcmp(word.s, "vendid=0x", 9) == 0)
		return true;
	if (pl_word_is(&word, "Non-Chassis"))
		return true;
	return pl_word_is(&word, "Switch") && pl_line_next(&copy, &word) &&
	       pl_line_next(&copy, &word) && word.len > 3 && memcmp(word.s, "\"S-", 3) == 0;
}

int pl_provider_ibnet(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.err = err};
	struct pl_line line;
	int rc = 0;

	p->form = "ibnetdiscover";
	while (rc == 0 && pl_text_next(text, &line))
		rc = take_line(&r, &line);
	if (rc == 0)
		rc = pl_fabric_places(&r.fabric, p, err);
	pl_fabric_fini(&r.fabric);
	return rc;
}

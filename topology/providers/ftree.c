/* SPDX-License-Identifier: BSD-3-Clause */
/* ftree.c - opensm-ftree-ca-order.dump: hosts by the leaf switch of a fat
 * tree */
#include "config.h"

#include "topology/providers/providers.h"

#include "base/gcd.h"
#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

/*
 * OpenSM's fat-tree routing writes a line per host, "0xLID<tab>description", leaf switch after leaf
 * switch, and fills each up to the number of hosts of the fullest one with lines
 * "0xFFFF<tab>DUMMY". That number itself it does not write: a line "# leaf N" does, or it follows
 * from the DUMMY lines.
 */
struct reader {
	struct pl_text *text;
	struct pl_err *err;
	size_t n;       /* lines */
	size_t dummies; /* the longest run of them */
	size_t run;     /* the present one */
	size_t grid;    /* all runs end at multiples of this; 0: none yet */
	size_t per_leaf;
	struct pl_place place; /* of what says so */
};

static bool is_hex(const struct pl_word *word)
{
	return word->len > 2 && word->s[0] == '0' && word->s[1] == 'x' &&
	       strspn(word->s + 2, "0123456789abcdefABCDEF") >= word->len - 2;
}

bool pl_provider_is_ftree(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word lid;

	return pl_line_next(&copy, &lid) && is_hex(&lid) && lid.s + lid.len < line->s + line->len &&
	       lid.s[lid.len] == '\t';
}

static void end_run(struct reader *r)
{
	if (r->run > r->dummies)
		r->dummies = r->run;
	if (r->run > 0)
		r->grid = pl_gcd(r->grid, r->n);
	r->run = 0;
}

/* "# leaf N" */
static int take_comment(struct reader *r, struct pl_line *line)
{
	struct pl_word word;
	int64_t n;

	if (!pl_line_next(line, &word) || !pl_word_is(&word, "#") || !pl_line_next(line, &word) ||
	    !pl_word_is(&word, "leaf"))
		return 0;
	if (!pl_line_next(line, &word) ||
	    pl_int_parse(word.s, word.len, 1, PL_PLACES_HOSTS_MAX, &n))
		return pl_err_at(r->err, pl_line_place(line),
				 "the number of hosts on the fullest leaf switch must follow after "
				 "\"# leaf\"");
	r->per_leaf = (size_t)n;
	r->place = word.place;
	return 0;
}

/*
 * The next line of a host or a DUMMY: 1 with the name (the description's first word, where hosts
 * have theirs), 0 at the end, -1 with @err set.
 */
static int next(struct reader *r, struct pl_word *name)
{
	struct pl_line line;
	struct pl_word lid;

	while (pl_text_next(r->text, &line)) {
		struct pl_line whole = line;

		if (!pl_line_next(&line, &lid))
			continue;
		if (lid.s[0] == '#') {
			if (take_comment(r, &whole))
				return -1;
			continue;
		}
		if (!is_hex(&lid) || !pl_line_next(&line, name))
			return pl_err_at(r->err, lid.place,
					 "expected 0xLID, a tab and a host's description");
		return 1;
	}
	return 0;
}

/* Counts lines and looks where leaf switches can end. */
static int survey(struct reader *r)
{
	struct pl_word name;
	int more;

	while ((more = next(r, &name)) > 0) {
		if (!pl_word_is(&name, "DUMMY"))
			end_run(r);
		else
			r->run++;
		r->n++;
	}
	end_run(r);
	r->grid = pl_gcd(r->grid, r->n);
	return more;
}

static bool can_be(const struct reader *r, size_t per_leaf)
{
	return r->grid % per_leaf == 0 && per_leaf > r->dummies;
}

static int choose(struct reader *r)
{
	const struct pl_place whole = {.file = r->text->name};
	size_t n_fits = 0, first = 0;

	if (r->n == 0)
		return 0;
	if (r->per_leaf)
		return can_be(r, r->per_leaf) ? 0
					      : pl_err_at(r->err, r->place,
							  "%zu hosts per leaf switch do not fit: a "
							  "switch would be incomplete within the "
							  "%zu lines, or have only DUMMY lines",
							  r->per_leaf, r->n);
	for (size_t k = 1; k <= r->grid; k++)
		if (can_be(r, k)) {
			first = n_fits++ ? first : k;
			r->per_leaf = k;
		}
	if (n_fits == 1)
		return 0;
	if (n_fits == 0)
		return pl_err_at(r->err, whole,
				 "the DUMMY lines fit no number of hosts per leaf switch: is the "
				 "file whole?");
	return pl_err_at(r->err, whole,
			 "the number of hosts on the fullest leaf switch is ambiguous: %zu and %zu "
			 "are possible; state it in a line \"# leaf %zu\"",
			 first, r->per_leaf, r->per_leaf);
}

int pl_provider_ftree(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct reader r = {.text = text, .err = err};
	const size_t start = text->pos;
	struct pl_word name;
	int more;

	p->form = "ftree";
	if (survey(&r) || choose(&r))
		return -1;
	text->pos = start;
	text->line = 0;
	for (size_t i = 0; (more = next(&r, &name)) > 0; i++) {
		char leaf[32];
		struct pl_places_path path = {0};
		const int len = snprintf(leaf, sizeof(leaf), "leaf%zu", i / r.per_leaf + 1);

		pl_places_push(&path, leaf, (size_t)len);
		/* a host with several adapters comes again: the first counts */
		if (pl_word_is(&name, "DUMMY") ||
		    pl_places_find(p, name.s, name.len) != PL_PLACES_NONE)
			continue;
		if (pl_places_add(p, name.s, name.len, &path, err) < 0)
			return -1;
	}
	return more;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* header-line.c - cutting header lines into keys and values */
#include "config.h"

#include "base/matrix/header.h"

bool pl_header_is(const struct pl_line *line)
{
	struct pl_line at = {.s = line->s, .len = line->len};

	pl_line_skip(&at);
	return at.pos < at.len && at.s[at.pos] == '#';
}

bool pl_header_next(struct pl_line *line, struct pl_word *key, struct pl_word *value)
{
	struct pl_line part = *line;

	do {
		pl_line_skip(line);
		if (line->pos >= line->len || !pl_line_is_mark(line, line->pos))
			return false;
		line->pos++;
		pl_line_skip(line);
	} while (line->pos < line->len && pl_line_is_mark(line, line->pos));
	if (!pl_line_next(line, key))
		return false;
	part = *line;
	if (!pl_word_is(key, "cell"))
		for (part.len = part.pos; part.len < line->len; part.len++)
			if (pl_line_is_mark(line, part.len))
				break;
	line->pos = part.len;
	*value = pl_line_rest(&part);
	return true;
}

bool pl_header_word(struct pl_word *value, struct pl_word *word)
{
	struct pl_line line = {.s = value->s,
			       .len = value->len,
			       .number = value->place.line,
			       .file = value->place.file};

	if (!pl_line_next(&line, word))
		return false;
	word->place.col += value->place.col - 1;
	value->s += line.pos;
	value->len -= line.pos;
	value->place.col += (long)line.pos;
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* header-line.c - cutting header lines into keys and values */
#include "config.h"

#include "base/matrix/header.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct pl_line *line)
{
	while (line->pos < line->len && is_blank(line->s[line->pos]))
		line->pos++;
}

bool pl_header_is(const struct pl_line *line)
{
	size_t i = 0;

	while (i < line->len && is_blank(line->s[i]))
		i++;
	return i < line->len && line->s[i] == '#';
}

/* Is there a '#' that starts a header at @i? */
static bool starts_header(const struct pl_line *line, size_t i)
{
	return line->s[i] == '#' && (i == 0 || is_blank(line->s[i - 1])) &&
	       (i + 1 == line->len || is_blank(line->s[i + 1]));
}

bool pl_header_next(struct pl_line *line, struct pl_word *key,
		    struct pl_word *value)
{
	struct pl_line part = *line;

	do {
		skip_blanks(line);
		if (line->pos >= line->len || !starts_header(line, line->pos))
			return false;
		line->pos++;
		skip_blanks(line);
	} while (line->pos < line->len && starts_header(line, line->pos));
	if (!pl_line_next(line, key))
		return false;
	part = *line;
	if (!pl_word_is(key, "cell"))
		for (part.len = part.pos; part.len < line->len; part.len++)
			if (starts_header(line, part.len))
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - lines of comma-separated values, cut into their fields */
#include "config.h"

#include "base/text/fields.h"

static void trim(struct pl_word *word)
{
	while (word->len > 0 && pl_is_blank(word->s[0])) {
		word->s++;
		word->len--;
		word->place.col++;
	}
	while (word->len > 0 && pl_is_blank(word->s[word->len - 1]))
		word->len--;
}

/* The length of the quoted field at @s, both quotes included; 0 where the closing one is missing.
 * Two quotes in a row stand for one and do not close it. */
static size_t quoted_length(const char *s, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		if (s[i] != '"')
			continue;
		if (i + 1 < len && s[i + 1] == '"')
			i++;
		else
			return i + 1;
	}
	return 0;
}

int pl_fields_next(struct pl_fields *f, struct pl_word *field, struct pl_err *err)
{
	struct pl_line *line = &f->line;
	const char separator = f->separator ? f->separator : ',';
	size_t start, end, quoted = 0;

	if (!f->more)
		return 0;
	pl_line_skip(line);
	start = end = line->pos;
	if (start < line->len && line->s[start] == '"') {
		quoted = quoted_length(line->s + start, line->len - start);
		if (!quoted)
			return pl_err_at(err, pl_line_place(line), "this quote is never closed");
		line->pos = start + quoted;
		pl_line_skip(line);
		end = line->pos;
		if (end < line->len && line->s[end] != separator)
			return pl_err_at(err, pl_line_place(line), "text after a quoted value");
	}
	while (end < line->len && line->s[end] != separator)
		end++;
	line->pos = start;
	*field = (struct pl_word){
		.s = line->s + start, .len = end - start, .place = pl_line_place(line)};
	if (quoted) {
		field->s++;
		field->len = quoted - 2;
		field->place.col++;
	}
	trim(field);
	f->more = end < line->len;
	line->pos = end + 1;
	return 1;
}

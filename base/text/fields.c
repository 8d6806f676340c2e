/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - lines of comma-separated values, cut into their fields */
#include "config.h"

#include "base/text/fields.h"

static void trim(struct pl_word *word)
{
	while (word->len > 0 && (word->s[0] == ' ' || word->s[0] == '\t')) {
		word->s++;
		word->len--;
		word->place.col++;
	}
	while (word->len > 0 && (word->s[word->len - 1] == ' ' ||
				 word->s[word->len - 1] == '\t'))
		word->len--;
}

/* The length of the quoted field at @s, both quotes included; 0 where the
 * closing one is missing. Two quotes in a row stand for one and do not close
 * it. */
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

static size_t skip_blanks(const struct pl_line *line, size_t pos)
{
	while (pos < line->len && (line->s[pos] == ' ' || line->s[pos] == '\t'))
		pos++;
	return pos;
}

int pl_fields_next(struct pl_fields *f, struct pl_word *field,
		   struct pl_err *err)
{
	struct pl_line *line = &f->line;
	const size_t start = skip_blanks(line, line->pos);
	size_t end = start, quoted = 0;

	if (!f->more)
		return 0;
	if (start < line->len && line->s[start] == '"') {
		line->pos = start;
		quoted = quoted_length(line->s + start, line->len - start);
		if (!quoted)
			return pl_err_at(err, pl_line_place(line),
					 "this quote is never closed");
		end = skip_blanks(line, start + quoted);
		line->pos = end;
		if (end < line->len && line->s[end] != ',')
			return pl_err_at(err, pl_line_place(line),
					 "text after a quoted value");
	}
	while (end < line->len && line->s[end] != ',')
		end++;
	line->pos = start;
	*field = (struct pl_word){.s = line->s + start,
				  .len = end - start,
				  .place = pl_line_place(line)};
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

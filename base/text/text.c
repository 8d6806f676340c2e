/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - line-based input: whole files, lines, words, each with its place */
#include "config.h"

#include "base/text/text.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Zero bytes would end strings early and hide what follows: refuse them. */
static int check_binary(const struct pl_text *t, struct pl_err *err)
{
	const char *zero = memchr(t->data, '\0', t->len);
	struct pl_place place = {.file = t->name, .line = 1, .col = 1};

	if (!zero)
		return 0;
	if (pl_kind_foreign(t))
		return pl_err_at(err, place, "this is %s, not text", pl_kind_foreign(t));
	for (const char *p = t->data; p < zero; p++) {
		place.col++;
		if (*p == '\n') {
			place.line++;
			place.col = 1;
		}
	}
	return pl_err_at(err, place, "zero byte: this is not a text file");
}

/* Byte order marks come from spreadsheets; they say nothing about UTF-8. */
static void skip_mark(struct pl_text *t)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (t->len >= 3 && memcmp(t->data, mark, 3) == 0)
		t->pos = 3;
}

static int read_all(struct pl_text *t, FILE *f, size_t limit, struct pl_err *err)
{
	size_t room = 0;

	for (;;) {
		/* one byte more than used, for the terminating zero */
		if (pl_array_grow((void **)&t->data, &room, t->len + 1, 1))
			return pl_err_nomem(err);
		const size_t got = fread(t->data + t->len, 1, room - t->len - 1, f);
		/* no use in reading on: /dev/zero would take all memory */
		const bool binary = memchr(t->data + t->len, '\0', got) != NULL;

		t->len += got;
		if (t->len > limit)
			return pl_err_at(err, (struct pl_place){.file = t->name},
					 "more than %zu bytes", limit);
		if (got == 0 || binary)
			break;
	}
	t->data[t->len] = '\0';
	if (ferror(f) && errno == EINTR)
		return pl_err_set(err, PL_EPARTIAL, "interrupted, reading %s", t->name);
	if (ferror(f))
		return pl_err_errno(err, "cannot read %s", t->name);
	return 0;
}

int pl_text_refuse_pipe(const char *path, struct pl_err *err)
{
	struct stat st;

	if (stat(path, &st) || !S_ISFIFO(st.st_mode) || pl_path_is_open(path))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s is a named pipe, to which perhaps nothing is ever written: use "
			  "standard input (-)",
			  path);
}

static FILE *open_input(const char *path, struct pl_err *err)
{
	FILE *f;

	if (pl_text_refuse_pipe(path, err))
		return NULL;
	f = fopen(path, "re");
	if (!f)
		pl_err_errno(err, "cannot open %s", path);
	return f;
}

/* Is the open file, if it is one, its owner's alone? */
static int check_secret(const char *path, FILE *f, struct pl_err *err)
{
	struct stat st;

	if (fstat(fileno(f), &st))
		return pl_err_errno(err, "cannot look at %s", path);
	if (!S_ISREG(st.st_mode) || !(st.st_mode & (S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s holds a secret, and others than its owner may %s it: chmod 600 %s",
			  path, st.st_mode & (S_IRGRP | S_IROTH) ? "read" : "write", path);
}

/* @check, unless NULL, is of the open file. */
static int load(struct pl_text *t, const char *path, size_t limit,
		int (*check)(const char *path, FILE *f, struct pl_err *err), struct pl_err *err)
{
	const bool from_stdin = strcmp(path, "-") == 0;
	const char *shown = from_stdin ? "stdin" : path;
	FILE *f = NULL;

	memset(t, 0, sizeof(*t));
	t->name = pl_string_copy(shown, strlen(shown));
	if (!t->name) {
		pl_err_nomem(err);
		goto fail;
	}
	f = from_stdin ? stdin : open_input(path, err);
	if (!f)
		goto fail;
	if ((check && check(shown, f, err)) || read_all(t, f, limit, err) || check_binary(t, err))
		goto fail;
	if (!from_stdin)
		fclose(f);
	skip_mark(t);
	return 0;
fail:
	if (f && !from_stdin)
		fclose(f);
	pl_text_fini(t);
	return -1;
}

int pl_text_load(struct pl_text *t, const char *path, size_t limit, struct pl_err *err)
{
	return load(t, path, limit, NULL, err);
}

int pl_text_load_file(struct pl_text *t, const char *path, size_t limit, struct pl_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		memset(t, 0, sizeof(*t));
		return pl_err_set(err, PL_EINPUT, "%s is not a regular file", path);
	}
	return pl_text_load(t, path, limit, err);
}

int pl_text_load_secret(struct pl_text *t, const char *path, size_t limit, struct pl_err *err)
{
	return load(t, path, limit, check_secret, err);
}

int pl_text_copy(struct pl_text *t, const char *name, const void *data, size_t len,
		 struct pl_err *err)
{
	memset(t, 0, sizeof(*t));
	t->name = pl_string_copy(name, strlen(name));
	t->data = pl_string_copy(data, len);
	t->len = len;
	if (!t->name || !t->data) {
		pl_err_nomem(err);
		goto fail;
	}
	if (check_binary(t, err))
		goto fail;
	skip_mark(t);
	return 0;
fail:
	pl_text_fini(t);
	return -1;
}

void pl_text_fini(struct pl_text *t)
{
	free(t->data);
	free(t->name);
	memset(t, 0, sizeof(*t));
}

bool pl_text_next(struct pl_text *t, struct pl_line *line)
{
	const char *s = t->data + t->pos;
	const char *end;
	size_t len;

	if (t->pos >= t->len)
		return false;
	end = memchr(s, '\n', t->len - t->pos);
	len = end ? (size_t)(end - s) : t->len - t->pos;
	t->pos += len + (end ? 1 : 0);
	t->line++;
	if (len > 0 && s[len - 1] == '\r')
		len--;
	*line = (struct pl_line){.s = s, .len = len, .number = t->line, .file = t->name};
	return true;
}

struct pl_place pl_line_place(const struct pl_line *line)
{
	return (struct pl_place){
		.file = line->file, .line = line->number, .col = (long)line->pos + 1};
}

void pl_line_skip(struct pl_line *line)
{
	while (line->pos < line->len && pl_is_blank(line->s[line->pos]))
		line->pos++;
}

bool pl_line_is_mark(const struct pl_line *line, size_t i)
{
	return line->s[i] == '#' && (i == 0 || pl_is_blank(line->s[i - 1])) &&
	       (i + 1 == line->len || pl_is_blank(line->s[i + 1]));
}

bool pl_line_next(struct pl_line *line, struct pl_word *word)
{
	size_t end;

	pl_line_skip(line);
	if (line->pos >= line->len)
		return false;
	for (end = line->pos; end < line->len && !pl_is_blank(line->s[end]);)
		end++;
	word->s = line->s + line->pos;
	word->len = end - line->pos;
	word->place = pl_line_place(line);
	line->pos = end;
	return true;
}

bool pl_line_word(struct pl_line *line, struct pl_word *word)
{
	*word = (struct pl_word){.s = "", .place = pl_line_place(line)};
	return pl_line_next(line, word);
}

int pl_line_end(struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (pl_line_next(line, &word))
		return pl_err_at(err, word.place, "this word is not known here");
	return 0;
}

struct pl_word pl_line_rest(struct pl_line *line)
{
	struct pl_word rest;

	pl_line_skip(line);
	rest.s = line->s + line->pos;
	rest.len = line->len - line->pos;
	rest.place = pl_line_place(line);
	while (rest.len > 0 && pl_is_blank(rest.s[rest.len - 1]))
		rest.len--;
	line->pos = line->len;
	return rest;
}

int pl_text_first(struct pl_text *t, const char *mark, struct pl_err *err)
{
	const struct pl_place top = {.file = t->name, .line = 1, .col = 1};
	struct pl_line line;
	struct pl_word rest;

	if (pl_text_next(t, &line)) {
		rest = pl_line_rest(&line);
		if (pl_word_is(&rest, mark))
			return 0;
	}
	return pl_err_at(err, top, "the first line must be \"%s\"", mark);
}

bool pl_word_is(const struct pl_word *word, const char *s)
{
	return strlen(s) == word->len && memcmp(word->s, s, word->len) == 0;
}

bool pl_word_value(const struct pl_word *word, const char *key, struct pl_word *value)
{
	const size_t len = strlen(key);

	if (word->len <= len || memcmp(word->s, key, len) != 0 || word->s[len] != '=')
		return false;
	*value = *word;
	value->s += len + 1;
	value->len -= len + 1;
	value->place.col += (long)len + 1;
	return true;
}

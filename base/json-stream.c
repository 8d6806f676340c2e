/* SPDX-License-Identifier: BSD-3-Clause */
/* json-stream.c - reads a long JSON array from a file, an element at a time */
#include "config.h"

#include "base/json-stream.h"

#include "base/json-clean.h"
#include "base/json-scan.h"
#include "base/mem.h"
#include "base/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PIECE ((size_t)64 << 10)
#define BEHIND ((size_t)256) /* an event shows what it is within these bytes */
#define VALUE_MAX ((size_t)16 << 20)
#define EVENT_MAX ((size_t)1 << 20) /* where the damaged are skipped: what one takes with it */
#define PARTS_MAX ((size_t)1 << 20) /* numbers, texts ...: each takes some 100 bytes of memory */

/* data[pos .. len - 1] is read and not yet taken; line and col are those of pos. */
struct pl_json_stream {
	gzFile file;
	char *name;
	const char *key;         /* NULL once the whole has turned out to be an array */
	const char *const *keys; /* of which key is the one found; NULL: none */
	json_t *beside;          /* NULL: what is beside the array is dropped */
	char *data;
	size_t pos, len, room;
	bool ended;
	long line, col;
	struct pl_place element;
	bool behind; /* the array has ended */
	bool first;  /* no element, or member, has been taken here */
	bool skips;  /* damaged elements */
	size_t n_damaged;
	struct pl_err damage;       /* of the first of them */
	size_t measured;            /* the length of the present value; 0: its end was not found */
	size_t parts, parts_beside; /* of it; of what is kept in beside */
};

static struct pl_place here(const struct pl_json_stream *s)
{
	return (struct pl_place){.file = s->name, .line = s->line, .col = s->col};
}

static int fault_read(const struct pl_json_stream *s, struct pl_err *err)
{
	int code;

	gzerror(s->file, &code);
	if (code == Z_ERRNO)
		return pl_err_errno(err, "cannot read %s", s->name);
	if (code == Z_MEM_ERROR)
		return pl_err_nomem(err);
	return pl_err_at(err, here(s), "the compressed data are cut off or damaged here");
}

/* Reads some more; what is not yet taken moves to the front. */
static int fill(struct pl_json_stream *s, struct pl_err *err)
{
	const size_t wanted = s->len - s->pos + PIECE;
	int n, code;

	memmove(s->data, s->data + s->pos, s->len - s->pos);
	s->len -= s->pos;
	s->pos = 0;
	if (s->room < wanted) {
		const size_t room = wanted + s->room;
		char *data = realloc(s->data, room);

		if (!data)
			return pl_err_nomem(err);
		s->data = data;
		s->room = room;
	}
	n = gzread(s->file, s->data + s->len, (unsigned)PIECE);
	if (n < 0)
		return fault_read(s, err);
	s->len += (size_t)n;
	s->ended = n == 0;
	gzerror(s->file, &code);
	return s->ended && code != Z_OK ? fault_read(s, err) : 0;
}

/* Takes @n characters. */
static void take(struct pl_json_stream *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->col++;
		if (s->data[s->pos + i] == '\n') {
			s->line++;
			s->col = 1;
		}
	}
	s->pos += n;
}

/* The next character that is no blank, without taking it; 0 at the end, -1 with @err set. */
static int peek(struct pl_json_stream *s, struct pl_err *err)
{
	for (;;) {
		while (s->pos < s->len && strchr(" \t\r\n", s->data[s->pos]) && s->data[s->pos])
			take(s, 1);
		if (s->pos < s->len)
			return (unsigned char)s->data[s->pos];
		if (s->ended)
			return 0;
		if (fill(s, err))
			return -1;
	}
}

static int fault_end(const struct pl_json_stream *s, struct pl_err *err)
{
	return pl_err_at(err, here(s), "the file is cut off here");
}

/* Takes that character. */
static int expect(struct pl_json_stream *s, char wanted, struct pl_err *err)
{
	const int c = peek(s, err);

	if (c < 0)
		return -1;
	if (c == 0 && s->pos == s->len)
		return fault_end(s, err);
	if (c != wanted)
		return pl_err_at(err, here(s), "'%c' is wanted here", wanted);
	take(s, 1);
	return 0;
}

/* The length of the value that begins here, which has been read in full
 * then. */
static int measure(struct pl_json_stream *s, size_t *len, struct pl_err *err)
{
	const size_t max = s->skips ? EVENT_MAX : VALUE_MAX;
	struct pl_json_scan scan = {0};
	bool behind;

	s->measured = 0;
	for (*len = 0;; ++*len) {
		if (s->pos + *len == s->len && fill(s, err))
			return -1;
		if (s->pos + *len == s->len && (scan.depth || scan.in_string))
			return fault_end(s, err);
		if (s->pos + *len == s->len)
			return 0;
		if (*len == max)
			return pl_err_at(err, here(s), "more than %zu MiB in one value", max >> 20);
		if (scan.parts > PARTS_MAX)
			return pl_err_at(err, here(s), "more than %zu values in one", PARTS_MAX);
		if (s->skips && pl_json_scan_lost(&scan, s->data[s->pos + *len]))
			return pl_err_at(err, here(s), "a string without an end");
		if (!pl_json_scan_ends(&scan, s->data[s->pos + *len], &behind))
			continue;
		*len += !behind;
		s->measured = *len;
		s->parts = scan.parts;
		return 0;
	}
}

static int fault_json(const struct pl_json_stream *s, const json_error_t *at, struct pl_err *err)
{
	struct pl_place place = here(s);

	if (at->line > 1)
		place = (struct pl_place){s->name, s->line + at->line - 1,
					  at->column > 0 ? at->column : 1};
	else if (at->column > 0)
		place.col += at->column - 1;
	return pl_err_at(err, place, "%s", at->text);
}

/* The value of @len bytes that begins here; where it is none, that of its text made clean. */
static int parse(const struct pl_json_stream *s, size_t len, json_t **value, struct pl_err *err)
{
	json_error_t at;
	char *clean;
	size_t n;

	*value = json_loadb(s->data + s->pos, len, JSON_DECODE_ANY, &at);
	if (*value)
		return 0;
	clean = pl_json_clean(s->data + s->pos, len, &n);
	if (!clean)
		return pl_err_nomem(err);
	*value = json_loadb(clean, n, JSON_DECODE_ANY, NULL);
	free(clean);
	return *value ? 0 : fault_json(s, &at, err);
}

/* Parses and takes the value that begins here. */
static int take_value(struct pl_json_stream *s, json_t **value, struct pl_err *err)
{
	size_t len;
	const int c = peek(s, err);

	if (c < 0)
		return -1;
	if (s->pos == s->len)
		return fault_end(s, err);
	if (measure(s, &len, err) || parse(s, len, value, err))
		return -1;
	take(s, len);
	return 0;
}

/* Is it the name of the array? With several, the first that comes is it. */
static bool is_wanted(struct pl_json_stream *s, const char *name)
{
	for (size_t i = 0; !s->key && s->keys[i]; i++)
		if (strcmp(name, s->keys[i]) == 0 && peek(s, NULL) == '[')
			s->key = s->keys[i];
	return s->key && strcmp(name, s->key) == 0;
}

/* Takes the value of the member @name, and drops or keeps it. */
static int take_member(struct pl_json_stream *s, const char *name, struct pl_err *err)
{
	json_t *value;

	if (take_value(s, &value, err))
		return -1;
	s->parts_beside += s->beside ? s->parts : 0;
	if (s->parts_beside > PARTS_MAX) {
		json_decref(value);
		return pl_err_at(err, here(s), "more than %zu values beside the array", PARTS_MAX);
	}
	if (!s->beside)
		json_decref(value);
	else if (json_object_set_new(s->beside, name, value))
		return pl_err_nomem(err);
	return 0;
}

/* A member, whose name is @name, after the name: 1 if its array begins here. */
static int skip_member(struct pl_json_stream *s, const json_t *name, struct pl_err *err)
{
	if (!json_is_string(name))
		return pl_err_at(err, here(s), "the name of a member is missing");
	if (expect(s, ':', err) || peek(s, err) < 0)
		return -1;
	if (!is_wanted(s, json_string_value(name)))
		return take_member(s, json_string_value(name), err);
	if (s->behind)
		return pl_err_at(err, here(s), "\"%s\" comes again", s->key);
	return expect(s, '[', err) ? -1 : 1;
}

/* Members of the object that holds the array: up to the array, or to the
 * end. */
static int skip_members(struct pl_json_stream *s, struct pl_err *err)
{
	for (;; s->first = false) {
		json_t *name;
		int rc = peek(s, err);

		if (rc < 0)
			return -1;
		if (rc == '}') {
			take(s, 1);
			return 0;
		}
		if ((!s->first && expect(s, ',', err)) || take_value(s, &name, err))
			return -1;
		rc = skip_member(s, name, err);
		json_decref(name);
		if (rc)
			return rc;
	}
}

static int fault_none(const struct pl_json_stream *s, struct pl_err *err)
{
	char names[128] = "";
	size_t len = 0;

	if (s->key)
		return pl_err_at(err, here(s), "no array \"%s\"", s->key);
	for (size_t i = 0; s->keys[i] && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s\"%s\"", i ? ", " : "",
					s->keys[i]);
	return pl_err_at(err, here(s), "no array %s", names);
}

/* Finds the array. */
static int begin(struct pl_json_stream *s, struct pl_err *err)
{
	const int c = peek(s, err);
	int found;

	if (c < 0)
		return -1;
	if (s->len - s->pos >= 3 && !memcmp(s->data + s->pos, "\xef\xbb\xbf", 3))
		s->pos += 3; /* a byte order mark */
	s->first = true;
	if (s->key && peek(s, err) == '[') {
		s->key = NULL;
		return expect(s, '[', err);
	}
	if (expect(s, '{', err))
		return -1;
	found = skip_members(s, err);
	s->first = true;
	if (found == 0)
		return fault_none(s, err);
	return found < 0 ? -1 : 0;
}

/* The array has ended. */
static int finish(struct pl_json_stream *s, struct pl_err *err)
{
	int c;

	take(s, 1);
	s->behind = true;
	s->first = false;
	if (s->key && skip_members(s, err))
		return -1;
	c = peek(s, err);
	if (c < 0)
		return -1;
	if (s->pos < s->len)
		return pl_err_at(err, here(s), "there is text after the end");
	return 0;
}

/* Like pl_json_stream_next; if it fails in the array, nothing of the element has been taken. */
static int next_element(struct pl_json_stream *s, json_t **element, struct pl_err *err)
{
	int c;

	c = peek(s, err);
	if (c < 0)
		return -1;
	if (c == ']')
		return finish(s, err);
	if (!s->first && (expect(s, ',', err) || peek(s, err) < 0))
		return -1;
	s->first = false;
	s->element = here(s);
	return take_value(s, element, err) ? -1 : 1;
}

static size_t skip_blanks(const struct pl_json_stream *s, size_t i)
{
	while (i < s->len && memchr(" \t\r\n", s->data[i], 4))
		i++;
	return i;
}

/* Does an event begin at @i? A trace's have one of these first. */
static bool is_event(const struct pl_json_stream *s, size_t i)
{
	static const char *const first[] = {"\"ph\"",  "\"name\"", "\"cat\"", "\"pid\"",
					    "\"tid\"", "\"ts\"",   "\"args\""};
	const size_t key = skip_blanks(s, i + 1);

	if (i == s->len || s->data[i] != '{')
		return false;
	for (size_t k = 0; k < sizeof(first) / sizeof(first[0]); k++)
		if (s->len - key >= strlen(first[k]) &&
		    memcmp(s->data + key, first[k], strlen(first[k])) == 0)
			return true;
	return false;
}

/* Behind a '}' of a damaged element: does another one follow, or (@may_end) the array's end? */
static int ends_here(struct pl_json_stream *s, bool may_end, struct pl_err *err)
{
	size_t i, next;

	while (s->len - s->pos < BEHIND && !s->ended)
		if (fill(s, err))
			return -1;
	i = skip_blanks(s, s->pos);
	if (i == s->len)
		return 0;
	next = skip_blanks(s, i + 1);
	if (s->data[i] == ',')
		return is_event(s, next);
	return may_end && s->data[i] == ']' &&
	       (next == s->len || s->data[next] == ',' || s->data[next] == '}');
}

/* Takes what is left of a damaged element. 1: the next one follows, or the end of the array; 0: the
 * file has ended; -1: reading has failed. */
static int skip_element(struct pl_json_stream *s, struct pl_err *err)
{
	const size_t least = s->measured;
	size_t taken = 0;
	int rc = 0;

	while (rc == 0) {
		const char *brace = memchr(s->data + s->pos, '}', s->len - s->pos);
		const size_t n = brace ? (size_t)(brace + 1 - s->data) - s->pos : s->len - s->pos;

		if (!brace && s->ended)
			return 0;
		take(s, n);
		taken += n;
		rc = brace ? ends_here(s, taken >= least, err) : fill(s, err);
	}
	return rc;
}

void pl_json_stream_skip_damaged(struct pl_json_stream *s)
{
	s->skips = true;
}

void pl_json_stream_blame(struct pl_json_stream *s, const char *fmt, ...)
{
	char why[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	if (s->n_damaged++ == 0)
		pl_err_at(&s->damage, s->element, "%s", why);
}

void pl_json_stream_damage(const struct pl_json_stream *s, struct pl_err *said)
{
	const struct pl_place first = {s->damage.file, s->damage.line, s->damage.col};

	if (s->n_damaged == 1)
		pl_err_at(said, first, "an event is left out: %.400s", s->damage.text);
	else if (s->n_damaged)
		pl_err_at(said, first, "%zu events are left out, the first here: %.400s",
			  s->n_damaged, s->damage.text);
}

int pl_json_stream_next(struct pl_json_stream *s, json_t **element, struct pl_err *err)
{
	struct pl_err fault = {0};
	int rc = s->behind ? 0 : next_element(s, element, &fault);

	while (rc < 0 && s->skips && !s->behind && fault.code == PL_EINPUT) {
		const bool whole = s->measured > 0;
		const int more = skip_element(s, err);

		if (more < 0)
			return -1;
		if (more == 0)
			break;
		if (s->n_damaged++ == 0)
			s->damage = fault;
		if (s->n_damaged == 1 && !whole)
			pl_err_at(&s->damage, s->element, "its end was not found");
		rc = next_element(s, element, &fault);
	}
	if (rc < 0 && err)
		*err = fault;
	return rc;
}

struct pl_place pl_json_stream_place(const struct pl_json_stream *s)
{
	return s->element;
}

static gzFile open_file(const char *path, struct pl_err *err)
{
	const bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;
	gzFile file = NULL;
	int fd;

	if (!is_stdin && pl_text_refuse_pipe(path, err))
		return NULL;
	fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		pl_err_errno(err, "cannot open %s", path);
	} else if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		pl_err_errno(err, "cannot open %s", path);
	} else {
		file = gzdopen(fd, "rb");
		if (!file)
			pl_err_nomem(err);
	}
	if (!file && fd >= 0)
		close(fd);
	return file;
}

static struct pl_json_stream *create(const char *path)
{
	struct pl_json_stream *s = pl_array_create(1, sizeof(*s));
	const char *name = strcmp(path, "-") == 0 ? "stdin" : path;

	if (!s)
		return NULL;
	s->name = pl_string_copy(name, strlen(name));
	s->data = pl_array_create(PIECE, 1);
	s->room = PIECE;
	s->line = s->col = 1;
	if (s->name && s->data)
		return s;
	pl_json_stream_close(s);
	return NULL;
}

/* Opens the file of @s, which may be NULL: out of memory. */
static struct pl_json_stream *open_stream(struct pl_json_stream *s, const char *path,
					  struct pl_err *err)
{
	if (!s) {
		pl_err_nomem(err);
		return NULL;
	}
	s->file = open_file(path, err);
	if (s->file && begin(s, err) == 0) {
		s->element = here(s);
		return s;
	}
	pl_json_stream_close(s);
	return NULL;
}

struct pl_json_stream *pl_json_stream_open(const char *path, const char *key, struct pl_err *err)
{
	struct pl_json_stream *s = create(path);

	if (s)
		s->key = key;
	return open_stream(s, path, err);
}

struct pl_json_stream *pl_json_stream_open_any(const char *path, const char *const *keys,
					       struct pl_err *err)
{
	struct pl_json_stream *s = create(path);

	if (s) {
		s->keys = keys;
		s->beside = json_object();
	}
	if (s && !s->beside) {
		pl_json_stream_close(s);
		s = NULL;
	}
	return open_stream(s, path, err);
}

const char *pl_json_stream_key(const struct pl_json_stream *s)
{
	return s->key;
}

const json_t *pl_json_stream_beside(const struct pl_json_stream *s)
{
	return s->beside;
}

void pl_json_stream_close(struct pl_json_stream *s)
{
	if (!s)
		return;
	if (s->file)
		gzclose(s->file);
	json_decref(s->beside);
	free(s->name);
	free(s->data);
	free(s);
}

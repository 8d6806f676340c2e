/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-text.c - whole inputs, their lines and words, each with its place */
#include "config.h"

#include "base/rng.h"
#include "base/text/text.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of these bytes; its name is in @path. */
static bool make_file(char path[64], const void *data, size_t len)
{
	int fd;
	bool good;

	strcpy(path, "unit-text.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return false;
	good = write(fd, data, len) == (ssize_t)len;
	close(fd);
	return good;
}

static void test_refused(void)
{
	struct pl_text t;
	struct pl_err err = {0};
	char path[64];

	ok(pl_text_load(&t, "/nonexistent/x", 10, &err) == -1 && err.code == PL_ESYSTEM &&
		   !t.data && !t.name,
	   "no such file");
	has_str(err.text, "/nonexistent/x: No such file", "says which and why");
	ok(pl_text_load(&t, "/", 10, &err) == -1 && err.code == PL_ESYSTEM, "a directory");
	if (!make_file(path, "0123456789\n", 11))
		return;
	ok(pl_text_load(&t, path, 10, &err) == -1 && err.code == PL_EINPUT && !t.data,
	   "over the limit");
	has_str(err.text, "more than 10 bytes", "says what the limit is");
	ok(pl_text_load(&t, path, 11, &err) == 0 && t.len == 11, "within it");
	pl_text_fini(&t);
	unlink(path);
	ok(pl_text_load(&t, "/dev/zero", 1 << 20, &err) == -1 && err.code == PL_EINPUT,
	   "an endless input");
	has_str(err.text, "zero byte", "is not read up to the limit");
	if (!make_file(path, "a\nbc\0d", 6))
		return;
	ok(pl_text_load(&t, path, 10, &err) == -1 && err.line == 2 && err.col == 3 &&
		   err.code == PL_EINPUT,
	   "a zero byte has a place");
	unlink(path);
}

static void test_lines(void)
{
	static const char s[] = "one\r\n\n  two \tb \nlast";
	struct pl_text t;
	struct pl_line line;
	struct pl_word word;

	is_int(pl_text_copy(&t, "x", s, sizeof(s) - 1, NULL), 0, "copied");
	ok(pl_text_next(&t, &line) && line.len == 3 && line.number == 1, "CR LF ends a line");
	ok(pl_text_next(&t, &line) && line.len == 0 && line.number == 2 &&
		   !pl_line_next(&line, &word),
	   "an empty line has no word");
	ok(pl_text_next(&t, &line) && pl_line_next(&line, &word) && pl_word_is(&word, "two") &&
		   word.place.line == 3 && word.place.col == 3 && strcmp(word.place.file, "x") == 0,
	   "a word and its place");
	word = pl_line_rest(&line);
	ok(pl_word_is(&word, "b") && word.place.col == 8, "the rest, trimmed");
	ok(!pl_line_next(&line, &word), "after which there is nothing");
	word = pl_line_rest(&line);
	is_int((int64_t)word.len, 0, "nor a rest");
	ok(pl_text_next(&t, &line) && pl_line_next(&line, &word) && pl_word_is(&word, "last") &&
		   line.number == 4,
	   "a last line without its end");
	ok(!pl_word_is(&word, "las") && !pl_word_is(&word, "lasts"), "a word is the whole word");
	is_int(pl_line_place(&line).col, 5, "place behind the last word");
	ok(!pl_text_next(&t, &line), "no more lines");
	pl_text_fini(&t);
	is_int(pl_text_copy(&t, "x", "", 0, NULL), 0, "an empty text");
	ok(!pl_text_next(&t, &line), "has no lines");
	pl_text_fini(&t);
}

static void test_stdin(void)
{
	struct pl_text t;
	struct pl_err err = {0};
	char path[64];

	if (!make_file(path, "piped\n", 6))
		return;
	ok(freopen(path, "r", stdin) != NULL, "standard input is a file");
	unlink(path);
	ok(pl_text_load(&t, "-", 10, &err) == 0 && t.len == 6, "\"-\"");
	is_str(t.name, "stdin", "what it is called");
	pl_text_fini(&t);
}

/* Nothing may wait for a writer that never comes; a pipe that is open has
 * one. */
static void test_pipes(void)
{
	struct pl_text t;
	struct pl_err err = {0};
	char path[64] = "unit-text-XXXXXX", open_pipe[64];
	int fd[2];

	if (!ok(mkdtemp(path) != NULL, "a directory"))
		return;
	snprintf(open_pipe, sizeof(open_pipe), "%s/pipe", path);
	ok(mkfifo(open_pipe, 0600) == 0, "a pipe with a name");
	ok(pl_text_load(&t, open_pipe, 10, &err) == -1 && err.code == PL_EINPUT && !t.data,
	   "is refused");
	has_str(err.text, "use standard input (-)", "says what helps");
	unlink(open_pipe);
	rmdir(path);
	if (!ok(pipe2(fd, O_CLOEXEC) == 0, "a pipe without a name"))
		return;
	ok(write(fd[1], "piped\n", 6) == 6, "written to");
	close(fd[1]);
	snprintf(open_pipe, sizeof(open_pipe), "/dev/fd/%d", fd[0]);
	ok(pl_text_load_file(&t, open_pipe, 10, &err) == -1 && err.code == PL_EINPUT &&
		   t.data == NULL,
	   "is no regular file: %s", err.text);
	err = (struct pl_err){0};
	ok(pl_text_load(&t, open_pipe, 10, &err) == 0 && t.len == 6,
	   "is read as a shell hands it over");
	pl_text_fini(&t);
	close(fd[0]);
}

/* The lines of a text, put together again, are the text. */
static void test_random(uint64_t seed)
{
	static const char letters[] = "ab \t\n\n#";
	struct pl_rng rng;
	int wrong = 0;

	printf("# seed %llu\n", (unsigned long long)seed);
	pl_rng_init(&rng, seed, 0);
	for (int i = 0; i < 500; i++) {
		char s[200], again[201];
		const size_t len = pl_rng_below(&rng, sizeof(s));
		size_t used = 0;
		struct pl_text t;
		struct pl_line line;

		for (size_t k = 0; k < len; k++)
			s[k] = letters[pl_rng_below(&rng, sizeof(letters) - 1)];
		if (pl_text_copy(&t, "x", s, len, NULL))
			abort();
		while (pl_text_next(&t, &line)) {
			memcpy(again + used, line.s, line.len);
			used += line.len;
			again[used++] = '\n';
		}
		/* the end of the last line may be missing in s */
		used -= used > len;
		wrong += used != len || memcmp(s, again, len) != 0;
		pl_text_fini(&t);
	}
	is_int(wrong, 0, "lines put together again are the text");
}

static void test_no_memory(void)
{
	char path[64];
	int wrong = 0;
	size_t live, k = 0;
	bool refused;

	if (!make_file(path, "abc\ndef ghi jkl\n", 16))
		return;
	do {
		struct pl_text t;
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_text_load(&t, path, 100, &err);
		wrong += rc == -1 && (err.code != PL_ESYSTEM || t.data);
		pl_text_fini(&t);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0;
		k++;
	} while (refused);
	unlink(path);
	ok(k > 3, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

int main(void)
{
	test_refused();
	test_lines();
	test_pipes();
	test_stdin();
	test_random(20261120);
	test_no_memory();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-err.c - errors: codes, places, texts cut and disarmed */
#include "config.h"

#include "base/err.h"
#include "tests/tap.h"

#include <errno.h>

static void test_set(void)
{
	struct pl_err err;

	memset(&err, 'x', sizeof(err));
	is_int(pl_err_set(&err, PL_EUSAGE, "no %s of %d", "colour", 7), -1, "gives -1");
	is_int(err.code, PL_EUSAGE, "code");
	is_str(err.text, "no colour of 7", "text");
	ok(err.line == 0 && err.col == 0 && !*err.file, "no place");
	is_int(pl_err_set(NULL, PL_EUSAGE, "x"), -1, "nobody wants to know");
}

static void test_at(void)
{
	const struct pl_place place = {.file = "a.txt", .line = 3, .col = 7};
	const struct pl_place nowhere = {.line = 1};
	struct pl_err err;

	is_int(pl_err_at(&err, place, "%c", 'x'), -1, "with a place: -1");
	ok(err.code == PL_EINPUT && err.line == 3 && err.col == 7, "place");
	is_str(err.file, "a.txt", "file");
	pl_err_at(&err, nowhere, "x");
	is_str(err.file, "", "no file");
	is_int(pl_err_at(NULL, place, "x"), -1, "nobody wants to know");
}

static void test_errno(void)
{
	struct pl_err err;

	errno = ENOENT;
	is_int(pl_err_errno(&err, "cannot open %s", "x"), -1, "errno: -1");
	is_int(err.code, PL_ESYSTEM, "code");
	is_str(err.text, "cannot open x: No such file or directory", "meaning");
	is_int(errno, ENOENT, "errno is kept");
	is_int(pl_err_errno(NULL, "x"), -1, "nobody wants to know");
	is_int(pl_err_nomem(&err), -1, "no memory: -1");
	ok(err.code == PL_ESYSTEM && strcmp(err.text, "out of memory") == 0, "no memory");
}

static void test_long(void)
{
	struct pl_place place = {.line = 1, .col = 1};
	struct pl_err err;
	char text[1000];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	place.file = text;
	pl_err_at(&err, place, "%s", text);
	is_int((int64_t)strlen(err.text), sizeof(err.text) - 1, "text is cut");
	is_int((int64_t)strlen(err.file), sizeof(err.file) - 1, "file is cut");
	errno = ENOENT;
	pl_err_errno(&err, "%s", text);
	is_int((int64_t)strlen(err.text), sizeof(err.text) - 1, "no room for the meaning");
}

static void test_control(void)
{
	const struct pl_place place = {.file = "a\nb"};
	struct pl_err err;

	pl_err_at(&err, place, "\"%s\" \x7f is h\xc3\xb6lzern", "\033[2Jx\r\n");
	is_str(err.text, "\"?[2Jx??\" ? is h\xc3\xb6lzern",
	       "control characters are shown, not obeyed");
	is_str(err.file, "a?b", "in file names, too");
}

int main(void)
{
	test_set();
	test_at();
	test_errno();
	test_long();
	test_control();
	return done_testing();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tool.c - what tools print when they fail, and the date they give */
#include "config.h"

#include "base/clock.h"
#include "src/common/tool.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

/* Standard error goes to an unnamed file, to be read back. */
static bool divert(void)
{
	FILE *f = tmpfile();
	const bool good = f && dup2(fileno(f), 2) == 2;

	if (f)
		fclose(f);
	return good;
}

/* What was printed since the last call. */
static const char *printed(char buf[1000])
{
	ssize_t got;

	lseek(2, 0, SEEK_SET);
	got = read(2, buf, 999);
	buf[got > 0 ? got : 0] = '\0';
	lseek(2, 0, SEEK_SET);
	if (ftruncate(2, 0))
		return "";
	return buf;
}

static void test_fail(void)
{
	struct pl_err err = {.code = PL_EINPUT,
			     .file = "hosts.txt",
			     .line = 3,
			     .col = 7,
			     .text = "duplicate host \"a1\""};
	char buf[1000];

	is_int(pl_tool_fail("t", &err), 3, "bad input: 3");
	is_str(printed(buf), "t: hosts.txt:3:7: duplicate host \"a1\"\n", "program, place, fault");
	err.line = err.col = 0;
	pl_tool_fail("t", &err);
	is_str(printed(buf), "t: hosts.txt: duplicate host \"a1\"\n", "a whole file");
	err.file[0] = '\0';
	err.code = PL_ESYSTEM;
	is_int(pl_tool_fail("t", &err), 4, "system: 4");
	is_str(printed(buf), "t: duplicate host \"a1\"\n", "no file");
	err.code = PL_EUSAGE;
	is_int(pl_tool_fail("t", &err), 2, "usage: 2");
	err.code = PL_EPARTIAL;
	is_int(pl_tool_fail("t", &err), 1, "in part: 1");
	printed(buf);
	is_int(pl_tool_usage("t", "what is %s", "x"), 2, "usage: 2");
	is_str(printed(buf), "t: what is x; see t --help\n", "and help");
	pl_tool_say("t", "%d", 7);
	is_str(printed(buf), "t: 7\n", "a remark");
	pl_tool_say("t", "%s", "a\033[2Jb\nc\177\xc3\xa9");
	is_str(printed(buf), "t: a?[2Jb?c?\xc3\xa9\n", "control characters are not obeyed");
	pl_tool_usage("t", "no %s", "\033[31m");
	is_str(printed(buf), "t: no ?[31m; see t --help\n", "nor here");
}

static void test_now(void)
{
	char buf[32];

	setenv("SOURCE_DATE_EPOCH", "1709210096", 1);
	is_str(pl_clock_date(buf), "2024-02-29T12:34:56Z", "a fixed date");
	setenv("SOURCE_DATE_EPOCH", "253402300799", 1);
	is_str(pl_clock_date(buf), "9999-12-31T23:59:59Z", "the last one");
	setenv("SOURCE_DATE_EPOCH", "1709210096x", 1);
	ok(strncmp(pl_clock_date(buf), "2024-02-29T12:34", 16) != 0 && strlen(buf) == 20,
	   "a date that is none is not used");
	unsetenv("SOURCE_DATE_EPOCH");
	is_int((int64_t)strlen(pl_clock_date(buf)), 20, "the present");
}

static void test_clock(void)
{
	const int64_t before_ns = pl_clock_ns();

	ok(pl_clock_ns() >= before_ns, "the clock does not go back");
}

int main(void)
{
	if (!divert()) {
		puts("Bail out! no temporary file");
		return 99;
	}
	test_fail();
	test_now();
	test_clock();
	return done_testing();
}

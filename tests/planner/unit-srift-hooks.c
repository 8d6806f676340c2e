/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-hooks.c - hooks: what they are told, how they end, what they
 * leave */
#include "config.h"

#include "base/clock.h"
#include "planner/srift/watch/hooks.h"
#include "tests/tap.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define LONG_NS INT64_C(600000000000)

/* Runs it to its end by the clock that is given: real time, or all at once. */
static int run(const char *command, const struct pl_words *env, int64_t limit_ns,
	       struct pl_hook_end *end, struct pl_err *err)
{
	struct pl_hook h;
	int rc = 0;

	*end = (struct pl_hook_end){0};
	if (pl_hook_start(&h, command, env, pl_clock_ns() + limit_ns, err))
		return -1;
	while (rc == 0) {
		rc = pl_hook_poll(&h, "hook", pl_clock_ns(), end, err);
		if (rc == 0)
			poll(NULL, 0, 2);
	}
	return rc > 0 ? 0 : -1;
}

static void test_ends(void)
{
	struct pl_words env = {0};
	struct pl_hook_end end;
	struct pl_err err = {0};

	pl_words_add_pair(&env, "SRIFT_HOST", "a b'c\"d$(echo no);e");
	pl_words_add_pair(&env, "HOME", "/elsewhere");
	ok(!run("printf '%s|%s' \"$SRIFT_HOST\" \"$HOME\"", &env, LONG_NS, &end, &err), "a hook");
	is_str(end.output.data, "a b'c\"d$(echo no);e|/elsewhere",
	       "is told in variables, which no shell reads");
	ok(end.status == 0 && !end.expired, "and ends well");
	pl_text_fini(&end.output);
	ok(!run("exit 7", &env, LONG_NS, &end, &err) && end.status == 7, "its exit status");
	pl_text_fini(&end.output);
	ok(!run("kill -9 $$", &env, LONG_NS, &end, &err) && end.status == 128 + SIGKILL,
	   "or its signal");
	pl_text_fini(&end.output);
	ok(!run("read x; echo \"got $x\"", &env, LONG_NS, &end, &err), "it has no input");
	is_str(end.output.data, "got \n", "and does not wait for any");
	pl_text_fini(&end.output);
	ok(!run("no-such-command-here 2>&1", &env, LONG_NS, &end, &err) && end.status == 127,
	   "a command that is not there: 127");
	pl_text_fini(&end.output);
	pl_words_fini(&env);
}

/* A process that stays in the background does not keep the hook from ending. */
static void test_background(void)
{
	const struct pl_words env = {0};
	struct pl_hook_end end;
	struct pl_err err = {0};
	long pid;

	ok(!run("sleep 600 & echo $!", &env, LONG_NS, &end, &err) && end.status == 0,
	   "a job is left in the background");
	pid = strtol(end.output.data, NULL, 10);
	pl_text_fini(&end.output);
	ok(pid > 1 && kill((pid_t)pid, 0) == 0, "it runs on");
	ok(pid > 1 && kill((pid_t)pid, SIGKILL) == 0, "until it is ended");
}

/* Is the process gone, within a minute? */
static bool goes(long pid)
{
	for (int i = 0; i < 6000; i++) {
		char path[64], state = 'X';
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
		f = fopen(path, "r");
		if (!f)
			return true;
		if (fscanf(f, "%*d %*s %c", &state) != 1)
			state = 'X';
		fclose(f);
		if (state == 'Z' || state == 'X')
			return true;
		poll(NULL, 0, 10);
	}
	return false;
}

/* Time over: asked to end, then made to, with all of its group. The clock is ours. */
static void test_expired(void)
{
	const struct pl_words env = {0};
	struct pl_hook h;
	struct pl_hook_end end = {0};
	struct pl_err err = {0};
	long child = 0;
	int rc = 0;

	ok(!pl_hook_start(
		   &h, "trap '' TERM; sleep 600 & echo $!; wait; wait; while :; do sleep 1; done",
		   &env, 1000, &err),
	   "a hook that does not want to end");
	for (int i = 0; i < 6000 && child == 0; i++) {
		char buf[32] = {0};

		if (pread(h.out, buf, sizeof(buf) - 1, 0) > 0 && strchr(buf, '\n'))
			child = strtol(buf, NULL, 10);
		else
			poll(NULL, 0, 10);
	}
	is_int(pl_hook_poll(&h, "hook", 999, &end, &err), 0, "before its time");
	ok(!h.expired, "nothing is done");
	is_int(pl_hook_poll(&h, "hook", 1000, &end, &err), 0, "then");
	ok(h.expired && h.end_ns == 1000 + PL_HOOK_GRACE_NS, "it is asked to end, and has 5 s");
	for (int i = 0; i < 6000 && rc == 0; i++) {
		rc = pl_hook_poll(&h, "hook", 2000 + PL_HOOK_GRACE_NS, &end, &err);
		poll(NULL, 0, 10);
	}
	ok(rc == 1 && end.expired && end.status == 128 + SIGKILL, "then it is ended");
	ok(child > 1 && goes(child), "with its children");
	pl_text_fini(&end.output);
}

static void test_output(void)
{
	const struct pl_words env = {0};
	struct pl_hook_end end;
	struct pl_err err = {0};

	ok(run("head -c 1048577 /dev/zero | tr '\\0' x", &env, LONG_NS, &end, &err),
	   "too much output is refused");
	has_str(err.text, "more than 1048576 bytes", "and told");
	ok(run("printf 'a\\0b'", &env, LONG_NS, &end, &err), "so is a zero byte");
	ok(!run("head -c 1048576 /dev/zero | tr '\\0' x", &env, LONG_NS, &end, &err) &&
		   end.output.len == PL_HOOK_OUT_MAX,
	   "a MiB is not too much");
	pl_text_fini(&end.output);
}

static void copy(struct pl_text *text, const char *s)
{
	struct pl_err err;

	pl_text_copy(text, "hook", s, strlen(s), &err);
}

static void test_names(void)
{
	struct pl_words names = {0};
	struct pl_text text;
	struct pl_err err = {0};
	uint64_t n = 0;

	copy(&text, "# two\n a1 \n\nb-2.x\n");
	ok(!pl_hook_names(&text, &names, &err) && names.n == 2, "two names");
	is_str(names.v[0], "a1", "the first");
	pl_text_fini(&text);
	pl_words_fini(&names);
	copy(&text, "a1\nb 2\n");
	ok(pl_hook_names(&text, &names, &err) && names.n == 1 && err.line == 2 && err.col == 3,
	   "a name and more: refused at %ld:%ld, the first is kept", err.line, err.col);
	pl_text_fini(&text);
	pl_words_fini(&names);
	copy(&text, "--help\n");
	ok(pl_hook_names(&text, &names, &err), "an option is no name");
	pl_text_fini(&text);
	pl_words_fini(&names);
	copy(&text, "saving...\ncheckpoint 5\ncheckpoint 7\n"
		    "checkpoint x\nbye\n");
	ok(pl_hook_saved(&text, &n) && n == 7, "what was saved last");
	pl_text_fini(&text);
	copy(&text, "saved 7\n");
	ok(!pl_hook_saved(&text, &n), "or nothing is told");
	pl_text_fini(&text);
}

int main(void)
{
	test_ends();
	test_background();
	test_expired();
	test_output();
	test_names();
	return done_testing();
}

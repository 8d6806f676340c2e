/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-stop.c - base/stop: signals that come twice, deadlines */
#include "config.h"

#include "base/clock.h"
#include "base/stop.h"

#include "tests/tap.h"

#include <time.h>

static volatile sig_atomic_t n_handled;

static void handler(int number)
{
	(void)number;
	n_handled++;
}

static void wait_ns(long ns)
{
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* In one of some tries: a busy machine may come between the two signals. */
static void test_twice(int first, int second, const char *what)
{
	bool once = false;

	for (int i = 0; i < 10 && !once; i++) {
		wait_ns(PL_STOP_AGAIN_NS + 1000000);
		n_handled = 0;
		raise(first);
		raise(second);
		once = n_handled == 1;
	}
	ok(once, "%s is one signal", what);
	wait_ns(PL_STOP_AGAIN_NS + 1000000);
	raise(second);
	is_int(n_handled, 2, "what comes later is another one");
}

static void test_deadline(void)
{
	const volatile sig_atomic_t no = 0, yes = 1;
	const int64_t now_ns = pl_clock_ns();

	ok(!pl_stop_now(NULL) && !pl_stop_now(&(struct pl_stop){0}),
	   "without a flag and a deadline there is no end");
	ok(pl_stop_now(&(struct pl_stop){.flag = &yes}) &&
		   !pl_stop_now(&(struct pl_stop){.flag = &no}),
	   "the flag ends it");
	ok(pl_stop_now(&(struct pl_stop){.deadline_ns = now_ns}) &&
		   !pl_stop_now(&(struct pl_stop){.deadline_ns = now_ns + (1LL << 50)}),
	   "and so does the deadline");
}

int main(void)
{
	pl_stop_on_signals(handler);
	test_twice(SIGTERM, SIGTERM, "one that comes twice");
	test_twice(SIGINT, SIGHUP, "two kinds at once");
	test_deadline();
	return done_testing();
}

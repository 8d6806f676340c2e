/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-proc.c - a process is known by its number and its start time */
#include "config.h"

#include "tests/tap.h"
#include "tests/testbed/proc.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_start(void)
{
	const int64_t start = tb_proc_start(getpid());

	ok(start > 0, "this process has a start time");
	prctl(PR_SET_NAME, ") R 1 2 (x) ");
	is_int(tb_proc_start(getpid()), start, "whatever it calls itself");
	is_int(tb_proc_start(-1), -1, "no process has a negative number");
	is_int(tb_proc_start(0), -1, "or none");
}

/* A child that waits to be killed. */
static struct tb_proc spawn(void)
{
	struct tb_proc proc = {.pid = fork()};

	if (proc.pid == 0) {
		for (;;)
			pause();
	}
	proc.start = tb_proc_start(proc.pid);
	return proc;
}

static void test_life(void)
{
	const struct tb_proc child = spawn();
	struct tb_proc other = child;
	int fd = tb_proc_open(child);

	other.start++;
	ok(fd >= 0, "a living process is found");
	is_int(tb_proc_open(other), -1, "one of another start time is not");
	is_int(tb_proc_wait(fd, 0), -1, "it has not ended");
	is_int(tb_proc_signal(fd, SIGKILL), 0, "it takes a signal");
	is_int(tb_proc_wait(fd, 60000), 0, "and has ended");
	waitpid(child.pid, NULL, 0);
	is_int(tb_proc_open(child), -1, "then it is found no more");
	ok(tb_proc_signal(fd, SIGKILL) == -1 && errno == ESRCH,
	   "nor does its descriptor reach anybody");
	close(fd);
}

int main(void)
{
	test_start();
	test_life();
	return done_testing();
}

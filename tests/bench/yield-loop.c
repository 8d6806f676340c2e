/* SPDX-License-Identifier: BSD-3-Clause */
/* yield-loop.c - polls and yields until a byte comes, and counts how often */
/*
 * usage: yield-loop poll|epoll|alone|blind MILLISECONDS
 * A child sends the byte after that time. "alone" is epoll without yielding,
 * "blind" yields 80 times without polling.
 * Prints "turns=N elapsed_us=T yielded=RC slept=N": RC is what sched_yield
 * gave, and N how often the process itself gave up the processor to wait for
 * something.
 */
#include "config.h"

#include "base/clock.h"
#include "base/text/number.h"
#include "src/common/tool.h"

#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool ready(const char *how, int fd, int epfd)
{
	struct epoll_event event;

	if (strcmp(how, "poll") != 0)
		return epoll_wait(epfd, &event, 1, 0) > 0;
	return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) > 0;
}

static pid_t send_later(const int pipe_fd[2], int64_t ms)
{
	const struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	const pid_t pid = fork();

	if (pid == 0) {
		nanosleep(&wait, NULL);
		_exit(write(pipe_fd[1], "x", 1) == 1 ? 0 : 1);
	}
	return pid;
}

int main(int argc, char **argv)
{
	struct epoll_event event = {.events = EPOLLIN};
	int pipe_fd[2], epfd, yielded = 0, status;
	int64_t ms, start_ns, turns = 0;
	struct rusage before, after;
	pid_t child;

	if (argc != 3 || pl_int_parse(argv[2], strlen(argv[2]), 0, 60000, &ms))
		return PL_EXIT_USAGE;
	epfd = epoll_create1(0);
	if (epfd < 0 || pipe(pipe_fd) || epoll_ctl(epfd, EPOLL_CTL_ADD, pipe_fd[0], &event))
		return PL_EXIT_SYSTEM;
	start_ns = pl_clock_ns();
	child = send_later(pipe_fd, ms);
	if (child < 0)
		return PL_EXIT_SYSTEM;
	for (; strcmp(argv[1], "blind") && !ready(argv[1], pipe_fd[0], epfd); turns++)
		if (strcmp(argv[1], "alone") != 0)
			yielded |= sched_yield();
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 80 && !strcmp(argv[1], "blind"); i++)
		yielded |= sched_yield();
	getrusage(RUSAGE_SELF, &after);
	printf("turns=%lld elapsed_us=%lld yielded=%d slept=%ld\n", (long long)turns,
	       (long long)(pl_clock_ns() - start_ns) / 1000, yielded,
	       after.ru_nvcsw - before.ru_nvcsw);
	return waitpid(child, &status, 0) == child && status == 0 ? PL_EXIT_DONE : PL_EXIT_SYSTEM;
}

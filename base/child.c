/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - run a program and read what it prints */
#include "config.h"

#include "base/child.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 100
#define END_MS 5000 /* between a polite and a hard signal */

/* 0 and *pid; or an errno. */
static int start(const struct pl_child_options *o, int out_fd, pid_t *pid)
{
	static const int err_fd[] = {
		[PL_CHILD_STDERR_SHOWN] = PL_SPAWN_SAME,
		[PL_CHILD_STDERR_DROPPED] = PL_SPAWN_NULL,
		[PL_CHILD_STDERR_WITH_STDOUT] = STDOUT_FILENO,
	};

	return pl_spawn(&(struct pl_spawn){.argv = o->argv,
					   .fd = {PL_SPAWN_NULL, out_fd, err_fd[o->err_to]},
					   .own_group = true},
			pid);
}

/* Reads to the end of @fd; -1 with @err set after a time-out, a stop, ... */
static int drain(const struct pl_child_options *o, int fd, char **out, size_t *len,
		 struct pl_err *err)
{
	const int64_t end_ns = pl_clock_ns() + o->timeout_ns;
	size_t room = 0;

	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		ssize_t got;

		if (o->stop && *o->stop)
			return pl_err_set(err, PL_EPARTIAL, "%s: interrupted", o->argv[0]);
		if (pl_clock_ns() >= end_ns)
			return pl_err_set(err, PL_EPARTIAL, "%s: did not end within %lld s",
					  o->argv[0], (long long)(o->timeout_ns / 1000000000));
		if (poll(&p, 1, POLL_MS) <= 0)
			continue;
		if (*len + 4096 >= room) {
			char *more = realloc(*out, room + 65536);

			if (!more)
				return pl_err_nomem(err);
			*out = more;
			room += 65536;
			if (room > PL_CHILD_OUT_MAX)
				return pl_err_set(err, PL_EPARTIAL, "%s: too much output",
						  o->argv[0]);
		}
		got = read(fd, *out + *len, room - *len - 1);
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return pl_err_errno(err, "%s", o->argv[0]);
		if (got > 0)
			*len += (size_t)got;
		if (got == 0) {
			(*out)[*len] = '\0';
			return 0;
		}
	}
}

void pl_child_end(pid_t pid)
{
	bool there = true;

	kill(-pid, SIGTERM);
	for (int i = 0; there && i < END_MS / POLL_MS; i++) {
		there = waitpid(pid, NULL, WNOHANG) == 0;
		if (there)
			poll(NULL, 0, POLL_MS);
	}
	kill(-pid, SIGKILL);
	while (there && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int reap(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int pl_child_run(const struct pl_child_options *options, char **out, size_t *len, int *status,
		 struct pl_err *err)
{
	int fd[2], rc;
	pid_t pid = 0;

	*out = NULL;
	*len = 0;
	if (pipe2(fd, O_CLOEXEC))
		return pl_err_errno(err, "cannot make a pipe");
	errno = start(options, fd[1], &pid);
	close(fd[1]);
	if (errno == ENOENT || errno == EACCES) {
		close(fd[0]);
		*status = 127;
		*out = pl_string_copy("", 0);
		return *out ? 0 : pl_err_nomem(err);
	}
	if (errno) {
		close(fd[0]);
		return pl_err_errno(err, "cannot start %s", options->argv[0]);
	}
	rc = drain(options, fd[0], out, len, err);
	close(fd[0]);
	if (rc == 0) {
		*status = reap(pid);
		return 0;
	}
	pl_child_end(pid);
	free(*out);
	*out = NULL;
	return rc;
}

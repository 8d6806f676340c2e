/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - run a program and read what it prints */
#include "config.h"

#include "base/child.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define POLL_MS 100
#define END_MS 5000 /* between a polite and a hard signal */

/* Own process group, default signals: Ctrl-C is ours to pass on. */
static int set_attr(posix_spawnattr_t *attr)
{
	sigset_t defaults;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGPIPE);
	return posix_spawnattr_setpgroup(attr, 0) ||
	       posix_spawnattr_setsigdefault(attr, &defaults) ||
	       posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP |
						      POSIX_SPAWN_SETSIGDEF);
}

static int set_files(posix_spawn_file_actions_t *files, int out_fd,
		     enum pl_child_stderr err_to)
{
	return posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY,
						0) ||
	       posix_spawn_file_actions_adddup2(files, out_fd, 1) ||
	       (err_to == PL_CHILD_STDERR_DROPPED &&
		posix_spawn_file_actions_addopen(files, 2, "/dev/null",
						 O_WRONLY, 0)) ||
	       (err_to == PL_CHILD_STDERR_WITH_STDOUT &&
		posix_spawn_file_actions_adddup2(files, 1, 2));
}

/* 0 and *pid; or an errno. */
static int start(const struct pl_child_options *o, int out_fd, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = ENOMEM;

	if (posix_spawn_file_actions_init(&files))
		return ENOMEM;
	if (posix_spawnattr_init(&attr) == 0) {
		if (!set_attr(&attr) && !set_files(&files, out_fd, o->err_to))
			rc = posix_spawnp(pid, o->argv[0], &files, &attr,
					  o->argv, environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* Reads to the end of @fd; -1 with @err set after a time-out, a stop, ... */
static int drain(const struct pl_child_options *o, int fd, char **out,
		 size_t *len, struct pl_err *err)
{
	const int64_t end_ns = pl_clock_ns() + o->timeout_ns;
	size_t room = 0;

	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		ssize_t got;

		if (o->stop && *o->stop)
			return pl_err_set(err, PL_EPARTIAL, "%s: interrupted",
					  o->argv[0]);
		if (pl_clock_ns() >= end_ns)
			return pl_err_set(
				err, PL_EPARTIAL,
				"%s: did not end within %lld s", o->argv[0],
				(long long)(o->timeout_ns / 1000000000));
		if (poll(&p, 1, POLL_MS) <= 0)
			continue;
		if (*len + 4096 >= room) {
			char *more = realloc(*out, room + 65536);

			if (!more)
				return pl_err_nomem(err);
			*out = more;
			room += 65536;
			if (room > PL_CHILD_OUT_MAX)
				return pl_err_set(err, PL_EPARTIAL,
						  "%s: too much output",
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

/* Asks the group to end, as a launcher may have ranks elsewhere to end first,
 * and ends what is still there after a while. False: the leader is
 * collected. */
static bool end_group(pid_t pid, int *status)
{
	bool there = true;

	kill(-pid, SIGTERM);
	for (int i = 0; there && i < END_MS / POLL_MS; i++) {
		there = waitpid(pid, status, WNOHANG) != pid;
		if (there)
			poll(NULL, 0, POLL_MS);
	}
	kill(-pid, SIGKILL);
	return there;
}

/* Collects the program, having ended it if it @failed. */
static int reap(pid_t pid, int failed)
{
	int status = 0;

	if (!failed || end_group(pid, &status))
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int pl_child_run(const struct pl_child_options *options, char **out,
		 size_t *len, int *status, struct pl_err *err)
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
	*status = reap(pid, rc);
	if (rc) {
		free(*out);
		*out = NULL;
	}
	return rc;
}

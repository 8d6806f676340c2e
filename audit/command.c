/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the job that is watched while it runs */
#include "config.h"

#include "audit/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define POLL_MS 50
#define END_MS 10000 /* a launcher may have ranks elsewhere to end first */

static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t none, defaults;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	return posix_spawnattr_setsigmask(attr, &none) ||
	       posix_spawnattr_setsigdefault(attr, &defaults) ||
	       posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
}

/* 0 or an errno. */
static int spawn(pid_t *pid, char *const *argv, enum pl_command_out out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = ENOMEM;

	if (posix_spawn_file_actions_init(&files))
		return ENOMEM;
	if (posix_spawnattr_init(&attr) == 0) {
		if (!set_signals(&attr) &&
		    (out == PL_COMMAND_OUT_SAME ||
		     !posix_spawn_file_actions_adddup2(&files, STDERR_FILENO,
						       STDOUT_FILENO)))
			rc = posix_spawnp(pid, argv[0], &files, &attr, argv,
					  environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

int pl_command_start(struct pl_command *c, char *const *argv,
		     enum pl_command_out out, struct pl_err *err)
{
	*c = (struct pl_command){0, 0};
	errno = spawn(&c->pid, argv, out);
	if (!errno)
		return 0;
	c->pid = 0;
	return pl_err_errno(err, "cannot start %s", argv[0]);
}

static void note_end(struct pl_command *c, int status)
{
	c->pid = 0;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
}

bool pl_command_has_ended(struct pl_command *c)
{
	int status;

	if (c->pid && waitpid(c->pid, &status, WNOHANG) == c->pid)
		note_end(c, status);
	return c->pid == 0;
}

void pl_command_stop(struct pl_command *c)
{
	int status;

	if (pl_command_has_ended(c))
		return;
	kill(c->pid, SIGTERM);
	for (int i = 0; i < END_MS / POLL_MS; i++) {
		poll(NULL, 0, POLL_MS);
		if (pl_command_has_ended(c))
			return;
	}
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	note_end(c, status);
}

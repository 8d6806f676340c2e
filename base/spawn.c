/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c - start a program */
#include "config.h"

#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

extern char **environ;

static int set_attr(posix_spawnattr_t *attr, bool own_group)
{
	sigset_t none, defaults;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	if (own_group) {
		sigaddset(&defaults, SIGINT);
		sigaddset(&defaults, SIGTERM);
		sigaddset(&defaults, SIGHUP);
	}
	return posix_spawnattr_setpgroup(attr, 0) || posix_spawnattr_setsigmask(attr, &none) ||
	       posix_spawnattr_setsigdefault(attr, &defaults) ||
	       posix_spawnattr_setflags(attr, (own_group ? POSIX_SPAWN_SETPGROUP : 0) |
						      POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
}

static int set_files(posix_spawn_file_actions_t *files, const int fd[3])
{
	int rc = 0;

	for (int k = 0; k < 3 && rc == 0; k++)
		if (fd[k] == PL_SPAWN_NULL)
			rc = posix_spawn_file_actions_addopen(files, k, "/dev/null", O_RDWR, 0);
		else if (fd[k] != PL_SPAWN_SAME)
			rc = posix_spawn_file_actions_adddup2(files, fd[k], k);
	return rc;
}

int pl_spawn(const struct pl_spawn *s, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = ENOMEM;

	if (posix_spawn_file_actions_init(&files))
		return ENOMEM;
	if (posix_spawnattr_init(&attr) == 0) {
		if (!set_attr(&attr, s->own_group) && !set_files(&files, s->fd))
			rc = posix_spawnp(pid, s->argv[0], &files, &attr, s->argv,
					  s->env ? s->env : environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the job that is watched while it runs */
#include "config.h"

#include "audit/command.h"

#include "base/spawn.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_MS 50
#define END_MS 10000 /* a launcher may have ranks elsewhere to end first */

int pl_command_start(struct pl_command *c, char *const *argv, enum pl_command_out out,
		     struct pl_err *err)
{
	*c = (struct pl_command){0, 0};
	errno = pl_spawn(&(struct pl_spawn){.argv = argv,
					    .fd = {PL_SPAWN_SAME,
						   out == PL_COMMAND_OUT_SAME ? PL_SPAWN_SAME
									      : STDERR_FILENO,
						   PL_SPAWN_SAME}},
			 &c->pid);
	if (!errno)
		return 0;
	c->pid = 0;
	return pl_err_errno(err, "cannot start %s", argv[0]);
}

static void note_end(struct pl_command *c, int status)
{
	c->pid = 0;
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
